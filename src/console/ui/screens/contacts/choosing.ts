import { useMemo, useState } from "react";

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
  return useMemo(
    () => ({
      ids,
      isAll,
      has: (id) => isAll || ids.has(id),
      toggle: (id) => {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        setState({ about, ids: next, isAll: false });
      },
      all: () => setState({ about, ids: new Set(), isAll: true }),
      none: () => setState({ about, ...NOBODY }),
    }),
    [about, ids, isAll],
  );
}
