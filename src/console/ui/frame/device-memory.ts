/**
 * What this device keeps for this browser. Who blocks all cookies has nothing of the kind, nor has the browser of
 * some apps: asking for it throws. Then nothing is kept, and everything else works.
 */
export const deviceMemory = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @param value null: forgets it */
  keep(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // There is no room either, or a private window: the server keeps what counts.
    }
  },
};
