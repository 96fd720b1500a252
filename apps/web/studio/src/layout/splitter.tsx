// The bar between two parts of the page: dragged, or moved with the arrow keys. It holds a share of the whole, from 0 to 1.
import type { Signal } from "@preact/signals";

interface Properties {
  share: Signal<number>;
  /** Whether the parts are side by side. */
  upright: boolean;
  label: string;
}

const STEP = 0.02;
const bounded = (share: number) => Math.min(0.85, Math.max(0.15, share));

export function Splitter({ share, upright, label }: Properties) {
  const drag = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const whole = bar.parentElement?.getBoundingClientRect();
    if (!whole) return;
    bar.setPointerCapture(event.pointerId);
    const move = ({ clientX, clientY }: PointerEvent) => {
      share.value = bounded(upright ? (clientX - whole.left) / whole.width : (clientY - whole.top) / whole.height);
    };
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[event.key];
    if (by === undefined) return;
    share.value = bounded(share.value + by);
    event.preventDefault();
  };
  return (
    <div
      class={upright ? "splitter upright" : "splitter"}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={upright ? "vertical" : "horizontal"}
      aria-valuenow={Math.round(share.value * 100)}
      aria-valuemin={15}
      aria-valuemax={85}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
