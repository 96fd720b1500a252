// What is said where an answer is not there, or no longer that of the text.
import type { Reply } from "./question";

/** In the place of an answer. */
export function Missing({ of: { error } }: { of: Reply<unknown> }) {
  return (
    <p class="empty" role="status">
      {error ?? "working …"}
    </p>
  );
}

/** Above an answer. */
export function Old({ of: { error } }: { of: Reply<unknown> }) {
  if (error === undefined) return null;
  return (
    <p class="old" role="status">
      Of the text before: this one has <span class="bad">{error.split("\n")[0]}</span>
    </p>
  );
}
