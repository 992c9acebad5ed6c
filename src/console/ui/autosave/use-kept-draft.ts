import { useMemo, useState } from "react";
import { onThisDevice } from "./on-this-device.ts";

export type KeptDraft<T> = {
  readonly draft: T;
  /** Whether it is not what is saved. */
  readonly isChanged: boolean;
  change(next: T): void;
  /** Nothing is to be kept any more: it was saved. */
  forget(): void;
  /** Lets go of what is not saved. */
  discard(): void;
};

const NOWHERE = { read: () => ({}), write: () => {} };

/**
 * What is saved by a button, because others see it at once. Until then it is kept on this device: whoever leaves the page
 * finds it as they left it.
 * @param name of the thing, on this device; null: nothing is kept, for somebody who may only look
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
