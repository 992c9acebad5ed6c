import { useMemo, useState } from "react";
import { onThisDevice } from "./on-this-device.ts";

export type KeptDraft<T> = {
  readonly draft: T;
  /** Whether it differs from what is saved. */
  readonly isChanged: boolean;
  change(next: T): void;
  /** Stops keeping it, because it was saved. */
  forget(): void;
  /** Discards what is not saved. */
  discard(): void;
};

const NOWHERE = { read: () => ({}), write: () => {} };

/**
 * For things that are saved with a button, because a change is visible to others at once. Until then the draft is
 * kept on this device, so that people who leave the page find it again.
 * @param name of the thing, on this device; null: nothing is kept, because the person may only read
 */
export function useKeptDraft<T extends object>(
  name: string | null,
  saved: T,
  isSame: (a: T, b: T) => boolean,
): KeptDraft<T> {
  const kept = useMemo(() => (name === null ? NOWHERE : onThisDevice<T>(name)), [name]);
  const [draft, setDraft] = useState<T>(() => ({ ...saved, ...kept.read() }));
  return {
    draft,
    isChanged: !isSame(draft, saved),
    change(next) {
      setDraft(next);
      kept.write(isSame(next, saved) ? {} : next);
    },
    forget: () => kept.write({}),
    discard() {
      setDraft(saved);
      kept.write({});
    },
  };
}
