/** The steps that were done to something, so that each can be undone and redone. */
export type History<T> = {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** The subject of the last step. A step with the same subject is joined to it. Null: nothing joins it. */
  readonly about: string | null;
};

const STEPS_KEPT = 200;

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], about: null });

/** Adds a step. Typing in one field (the same `about`) is one step together; an unchanged value is none. */
export function stepHistory<T>(history: History<T>, next: T, about: string | null): History<T> {
  if (next === history.present) return history;
  const isSameStep = about !== null && about === history.about && history.past.length > 0;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-STEPS_KEPT);
  return { past, present: next, future: [], about };
}

/** Returns the same history if there is nothing to undo. */
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

/** Returns the same history if nothing was undone. */
export function redo<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history;
  const present = history.future[0] as T;
  return { past: [...history.past, history.present], present, future: history.future.slice(1), about: null };
}
