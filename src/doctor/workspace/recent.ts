import type { Clock } from "#core/time/clock.ts";

/** What was looked up recently, and what is being looked up. */
export type Recent<T> = {
  /** The result of a look-up less than `keptMs` ago, or of a new one. Callers at the same time share one look-up. */
  get(key: string, look: () => Promise<T>): Promise<T>;
};

const KEPT_MAX = 1_000;

/** A look-up that fails is not kept. */
export function recent<T>(clock: Clock, keptMs: number): Recent<T> {
  const found = new Map<string, { readonly value: Promise<T>; until: number }>();
  return {
    get(key, look) {
      const known = found.get(key);
      if (known !== undefined && clock.monotonicMs() < known.until) return known.value;
      if (found.size >= KEPT_MAX) found.clear();
      const value = look();
      const entry = { value, until: Infinity };
      found.set(key, entry);
      value.then(
        () => void (entry.until = clock.monotonicMs() + keptMs),
        () => void (found.get(key) === entry && found.delete(key)),
      );
      return value;
    },
  };
}
