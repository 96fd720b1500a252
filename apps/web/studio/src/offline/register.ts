// The page without a network: its files are kept by a service worker, where the browser has such.
import { signal } from "@preact/signals";

/** A new version is there; calling it reloads the page with it. */
export const newVersion = signal<(() => void) | undefined>(undefined);

export function serveOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register("./sw.js")
    .then((registration) => {
      const offer = (worker: ServiceWorker | null) => {
        if (!worker || !navigator.serviceWorker.controller) return;
        newVersion.value = () => {
          navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
          worker.postMessage("take over");
        };
      };
      offer(registration.waiting);
      registration.addEventListener("updatefound", () => {
        const worker = registration.installing;
        worker?.addEventListener("statechange", () => worker.state === "installed" && offer(worker));
      });
    })
    .catch(() => {
      // Without it the page needs the network, and works.
    });
}
