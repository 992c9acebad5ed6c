import { useState } from "react";

/** Saves a list of words that was changed. It has ended when the person has them, or when it failed. */
export type KeepWords = (before: readonly string[], after: readonly string[]) => Promise<void>;

/** Words as they are wanted: the next key goes on from them, also while the last change is being saved. */
export function useWanted(stored: readonly string[], keep: KeepWords | null) {
  const [unsaved, setUnsaved] = useState<readonly string[] | null>(null);
  const wanted = unsaved ?? stored;
  return {
    wanted,
    change(next: readonly string[]): void {
      setUnsaved(next);
      // Once nothing is being saved, what the server has is shown.
      void keep?.(wanted, next).then(() => setUnsaved((now) => (now === next ? null : now)));
    },
  };
}
