import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";

type Filters = Readonly<Record<string, string>>;

/**
 * A screen's filters, kept in the address, so that reload, back and shared links keep them. Values as in `defaults`
 * are left out.
 * @param defaults a constant: every filter of the screen, with its value when nothing was chosen
 */
export function useAddress<F extends Filters>(defaults: F): [F, (change: Partial<F>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const filters = useMemo(() => read(defaults, search), [defaults, search]);
  const change = useCallback(
    (changed: Partial<F>) => {
      const next = written(defaults, { ...filters, ...changed }, search);
      navigate(next === "" ? path : `${path}?${next}`, { replace: true });
    },
    [defaults, filters, navigate, path, search],
  );
  return [filters, change];
}

function read<F extends Filters>(defaults: F, search: string): F {
  const given = new URLSearchParams(search);
  const entries = Object.entries(defaults).map(([name, byDefault]) => [name, given.get(name) ?? byDefault]);
  return Object.fromEntries(entries) as F;
}

/** Parameters that are no filter of this screen, such as the workspace, stay in the address. */
function written(defaults: Filters, filters: Filters, search: string): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(filters)) {
    if (value === defaults[name]) next.delete(name);
    else next.set(name, value);
  }
  return next.toString();
}
