import { useCallback, useMemo, useState } from "react";

/** Who is chosen: some by hand, or all who fit. */
export type Choosing = {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  has(id: string): boolean;
  toggle(id: string): void;
  all(): void;
  none(): void;
};

const NOBODY = { ids: new Set<string>(), isAll: false } as const;

/** @param about what the choice is made from: with another filter nobody is chosen */
export function useChoosing(about: string): Choosing {
  const [state, setState] = useState<{ about: string; ids: ReadonlySet<string>; isAll: boolean }>({
    about,
    ...NOBODY,
  });
  const { ids, isAll } = state.about === about ? state : NOBODY;
  // Always the same function: else a choice would draw every row anew.
  const toggle = useCallback(
    (id: string): void =>
      setState((before) => {
        const next = new Set(before.about === about ? before.ids : []);
        if (!next.delete(id)) next.add(id);
        return { about, ids: next, isAll: false };
      }),
    [about],
  );
  return useMemo(
    () => ({
      ids,
      isAll,
      has: (id) => isAll || ids.has(id),
      toggle,
      all: () => setState({ about, ids: new Set(), isAll: true }),
      none: () => setState({ about, ...NOBODY }),
    }),
    [about, ids, isAll, toggle],
  );
}
