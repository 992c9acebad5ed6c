import { useCallback, useMemo, useState } from "react";
import type { Contact } from "../../api/api.gen.ts";

type Somebody = Pick<Contact, "id" | "email">;

/** Who is chosen: some contacts by hand, or all who fit except those who were removed again. */
export type Choosing = {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  /** The contacts that are left out of all: addresses by id. */
  readonly except: ReadonlyMap<string, string>;
  has(id: string): boolean;
  /** How many are chosen, if `total` fit. */
  count(total: number): number;
  toggle(one: Somebody): void;
  add(some: readonly Somebody[]): void;
  all(): void;
  none(): void;
};

type Choice = Pick<Choosing, "ids" | "isAll" | "except">;

const NOBODY: Choice = { ids: new Set(), isAll: false, except: new Map() };
const EVERYBODY: Choice = { ...NOBODY, isAll: true };

/** @param about the filter that the choice belongs to: with another filter nobody is chosen */
export function useChoosing(about: string): Choosing {
  const [state, setState] = useState({ about, choice: NOBODY });
  const choice = state.about === about ? state.choice : NOBODY;
  // Always the same functions: otherwise each choice would draw every row again.
  const change = useCallback(
    (next: (before: Choice) => Choice): void =>
      setState((before) => ({ about, choice: next(before.about === about ? before.choice : NOBODY) })),
    [about],
  );
  const toggle = useCallback((one: Somebody): void => change((before) => toggled(before, one)), [change]);
  const add = useCallback(
    (some: readonly Somebody[]): void => change((before) => withAll(before, some)),
    [change],
  );
  return useMemo(() => {
    const { ids, isAll, except } = choice;
    return {
      ...choice,
      has: (id) => (isAll ? !except.has(id) : ids.has(id)),
      count: (total) => (isAll ? Math.max(total - except.size, 0) : ids.size),
      toggle,
      add,
      all: () => change(() => EVERYBODY),
      none: () => change(() => NOBODY),
    };
  }, [choice, change, toggle, add]);
}

function toggled(before: Choice, { id, email }: Somebody): Choice {
  const [ids, except] = [new Set(before.ids), new Map(before.except)];
  if (before.isAll) {
    if (!except.delete(id)) except.set(id, email);
  } else if (!ids.delete(id)) ids.add(id);
  return { ...before, ids, except };
}

function withAll(before: Choice, some: readonly Somebody[]): Choice {
  const [ids, except] = [new Set(before.ids), new Map(before.except)];
  for (const { id } of some) {
    if (before.isAll) except.delete(id);
    else ids.add(id);
  }
  return { ...before, ids, except };
}
