/** What was done to something, step by step, so that each step can be taken back and done again. */
export type History<T> = {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What the last step was about; a step about the same becomes one with it. Null: nothing joins it. */
  readonly about: string | null;
};

const STEPS_KEPT = 200;

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], about: null });

/** A step. Typing on in one field (the same `about`) is one step together; the same value is none. */
export function stepHistory<T>(history: History<T>, next: T, about: string | null): History<T> {
  if (next === history.present) return history;
  const isSameStep = about !== null && about === history.about && history.past.length > 0;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-STEPS_KEPT);
  return { past, present: next, future: [], about };
}

/** The same history where there is nothing to take back. */
export function undo<T>(history: History<T>): History<T> {
  if (history.past.length === 0) return history;
  const present = history.past.at(-1) as T;
  return {
    past: history.past.slice(0, -1),
    present,
    future: [history.present, ...history.future],
    about: null,
  };
}

/** The same history where nothing was taken back. */
export function redo<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history;
  const present = history.future[0] as T;
  return { past: [...history.past, history.present], present, future: history.future.slice(1), about: null };
}
