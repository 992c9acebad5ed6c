import { useRef, useState } from "react";

type Field<Value> = {
  readonly stored: Value;
  /** What would be stored for it; null: it is not complete. */
  written(value: Value): string | null;
  /** @param ended called when it is saved, or with the reason why not */
  save(value: Value, ended: (problem: Error | null) => void): void;
};

/**
 * What stands in a field that is saved when it is left: what is stored, or what somebody typed that is not stored yet. So an
 * answer never takes away what was typed after it was asked for, and what was refused stays there.
 */
export function useTyped<Value>({ stored, written, save }: Field<Value>) {
  const [typed, setTyped] = useState<Value | null>(null);
  /** What is being saved: the last of it, if there is more. */
  const sent = useRef<{ readonly text: string } | null>(null);
  const leave = (): void => {
    if (typed === null) return;
    const text = written(typed);
    if (text === null) return setTyped(null);
    if (text === (sent.current?.text ?? written(stored))) {
      if (sent.current === null) setTyped(null);
      return;
    }
    const mine = { text };
    sent.current = mine;
    save(typed, (problem) => {
      if (sent.current !== mine) return;
      sent.current = null;
      if (problem === null) setTyped((now) => (now !== null && written(now) === text ? null : now));
    });
  };
  return { shown: typed ?? stored, type: setTyped, leave };
}
