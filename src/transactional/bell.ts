/** Rings for one who waits. A ring nobody has waited for yet is not lost; several before a wait are one. */
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

/** Something that happens once, for everybody: those who listen are told when it does. */
export type Signal = {
  readonly isGiven: boolean;
  give(): void;
  /** Returns how not to be told any more. */
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
