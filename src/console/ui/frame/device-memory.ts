/**
 * What this browser keeps for us. Who blocks all cookies has nothing of the kind, nor has the browser of some apps:
 * asking for it throws. Then nothing is kept, and everything else works.
 */
const memoryIn = (storage: () => Storage) => ({
  read(key: string): string | null {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },
  /** @param value null: forgets it */
  keep(key: string, value: string | null): void {
    try {
      if (value === null) storage().removeItem(key);
      else storage().setItem(key, value);
    } catch {
      // There is no room either, or a private window: the server keeps what counts.
    }
  },
});

/** For all tabs, until somebody clears it. */
export const deviceMemory = memoryIn(() => localStorage);

/** For this tab alone. It outlives a reload. */
export const tabMemory = memoryIn(() => sessionStorage);
