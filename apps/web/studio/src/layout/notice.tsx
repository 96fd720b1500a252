// What went wrong with the page itself, until somebody has read it.
import { trouble } from "../state/work";

export function Notice() {
  if (trouble.value === undefined) return null;
  return (
    <div class="notice" role="alert">
      <pre>{trouble.value}</pre>
      <button type="button" onClick={() => (trouble.value = undefined)}>
        Close
      </button>
    </div>
  );
}
