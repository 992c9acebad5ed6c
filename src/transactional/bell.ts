/**
 * Wakes one waiting caller. A ring before anybody waits is not lost; several rings before a wait count as
 * one.
 */
export type Bell = { ring(): void; next(): Promise<void> };

export function newBell(): Bell {
  let hasRung = false;
  let wake = (): void => undefined;
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async next() {
      if (!hasRung) await new Promise<void>((resolve) => (wake = resolve));
      hasRung = false;
    },
  };
}

/** Something that happens once. All listeners are called when it does. */
export type Signal = {
  readonly isGiven: boolean;
  give(): void;
  /** Returns a function that removes the listener. */
  listen(listener: () => void): () => void;
};

export function newSignal(): Signal {
  const listeners = new Set<() => void>();
  let isGiven = false;
  return {
    get isGiven() {
      return isGiven;
    },
    give() {
      isGiven = true;
      for (const tell of listeners) tell();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
