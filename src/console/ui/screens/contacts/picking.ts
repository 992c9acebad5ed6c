import { useCallback, useEffect, useRef } from "react";
import type { Contact } from "../../api/api.gen.ts";
import type { Choosing } from "./choosing.ts";

export type Picker = (index: number, isRange: boolean) => void;

/** Chooses the row with a number; with Shift, all from the last one to it. Always the same function. */
export function usePicking(at: (row: number) => Contact | undefined, choosing: Choosing | null): Picker {
  const rows = useRef(at);
  const last = useRef<number | null>(null);
  useEffect(() => {
    rows.current = at;
  });
  const [toggle, add] = [choosing?.toggle, choosing?.add];
  return useCallback(
    (index, isRange) => {
      const contact = rows.current(index);
      if (contact === undefined) return;
      const from = isRange ? (last.current ?? index) : index;
      last.current = index;
      const [first, count] = [Math.min(from, index), Math.abs(from - index) + 1];
      const range = Array.from({ length: count }, (_, i) => rows.current(first + i));
      // Some rows of a long range may no longer be loaded: then only this one is chosen, as its box shows.
      if (count === 1 || range.includes(undefined)) toggle?.(contact);
      else add?.(range.filter((one) => one !== undefined));
    },
    [toggle, add],
  );
}
