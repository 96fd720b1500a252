// Answers that follow the text: asked again whenever the language server has read another one, the newest question only.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { latest, Stopped } from "../engine/client";
import * as work from "../state/work";
import type { Studio } from "../studio";

export interface Reply<T> {
  value?: T;
  /** Why there is none, or why it is that of an earlier text. */
  error?: string;
}

/** The answer to a question about the program; `more` is what else it is about. What takes long goes to another worker than the language server's. */
export function useQuestion<T>(studio: Studio, name: string, more: object = {}, worker = studio.language): ReadonlySignal<Reply<T>> {
  const reply = useSignal<Reply<T>>({});
  const ask = useMemo(() => latest((about: object) => worker.call<T>(name, about)), [name, worker]);
  const program = work.program.value;
  const asked = JSON.stringify({ program, gpu: work.gpu.value, profile: work.profile.value, ...more });
  const read = studio.read.value;
  useEffect(() => {
    if (program === "") {
      reply.value = { error: "No program." };
      return;
    }
    let current = true;
    ask(JSON.parse(asked)).then(
      (value) => current && value !== undefined && (reply.value = { value }),
      (error: Error) => {
        // While somebody types, the last answer is better than none.
        if (current && !(error instanceof Stopped)) reply.value = { ...reply.value, error: error.message };
      },
    );
    return () => {
      current = false;
    };
  }, [asked, read, ask]);
  return reply;
}
