// What the first picture needs is asked for by the page itself, so that it comes while the page's program does.

/** `needed` are the beginnings of the names of files that the page fetches. */
export function preload(needed) {
  return {
    name: "preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle }) {
        const names = Object.keys(bundle).filter((name) => needed.some((one) => name.startsWith(one)));
        return names.map((name) => ({
          tag: "link",
          attrs: { rel: "preload", as: "fetch", crossorigin: "anonymous", href: `./${name}` },
          injectTo: "head",
        }));
      },
    },
  };
}
