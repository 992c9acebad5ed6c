import { useMemo, useState } from "react";
import { onThisDevice } from "./on-this-device.ts";

export type KeptDraft<T> = {
  readonly draft: T;
  /** Whether it differs from what is saved. */
  readonly isChanged: boolean;
  /** Whether somebody else has saved something else since it was begun. */
  readonly isOvertaken: boolean;
  change(next: T): void;
  /** Stops keeping it, because it was saved. */
  forget(): void;
  /** Discards what is not saved. */
  discard(): void;
  /** It goes over what somebody else has saved. */
  keepMine(): void;
};

const NOWHERE = { read: () => ({}), write: () => {} };

/**
 * What is saved by a button, because others see it at once. Until then it is kept on this device: whoever leaves the page
 * finds it as they left it, and is told where it would go over what somebody else has saved meanwhile.
 * @param name of the thing, on this device; null: nothing is kept, for somebody who may only look
 */
export function useKeptDraft<T extends object>(
  name: string | null,
  saved: T,
  isSame: (a: T, b: T) => boolean,
): KeptDraft<T> {
  const kept = useMemo(() => storesOf<T>(name), [name]);
  const [draft, setDraft] = useState<T>(() => ({ ...saved, ...kept.draft.read() }));
  /** What was saved when it was begun. */
  const [base, setBase] = useState<T>(() => ({ ...saved, ...kept.base.read() }));
  /** What the server answers to a save may differ from what was sent, and is nobody else's. */
  const [isSaved, setSaved] = useState(false);
  const isAnew = !isSame(base, saved);
  const isOvertaken = isAnew && !isSaved && !isSame(draft, base) && !isSame(draft, saved);
  if (isAnew && !isOvertaken) {
    setBase(saved);
    setDraft(saved);
    setSaved(false);
  }
  const keep = (next: T, over: T): void => {
    const isKept = !isSame(next, over);
    kept.draft.write(isKept ? next : {});
    kept.base.write(isKept ? over : {});
  };
  return {
    draft,
    isChanged: !isSame(draft, saved),
    isOvertaken,
    change(next) {
      setDraft(next);
      setSaved(false);
      keep(next, base);
    },
    forget() {
      setSaved(true);
      keep(draft, draft);
    },
    discard() {
      setDraft(saved);
      setBase(saved);
      keep(saved, saved);
    },
    keepMine() {
      setBase(saved);
      keep(draft, saved);
    },
  };
}

const storesOf = <T extends object>(name: string | null) =>
  name === null
    ? { draft: NOWHERE, base: NOWHERE }
    : { draft: onThisDevice<T>(name), base: onThisDevice<T>(`${name}.base`) };
