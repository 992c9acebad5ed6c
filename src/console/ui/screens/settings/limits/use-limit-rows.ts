import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { Settings } from "../../../api/api.gen.ts";
import { SETTINGS, useChangeSettings, useSettings } from "../../../api/settings.ts";
import { isBeingLeft } from "../../../autosave/being-left.ts";
import { seenAgain } from "../../../autosave/seen-again.ts";
import { useSaved } from "../parts/saved.tsx";
import { changedOnto, isSame, limitsOf, problemOf, rowsOf, type LimitRow } from "./domain-limits.ts";

type Limits = Settings["domainLimits"];

/** What was stored or on its way when somebody began, and what they made of it. */
type Change = { readonly before: Limits; readonly limits: Limits };

/** The rows as they are written: what is no limit yet is only here. All limits are saved as one, when a row is left. */
export function useLimitRows() {
  const stored = useSettings().data?.domainLimits ?? null;
  const keys = useRef(0);
  const newKey = (): number => keys.current++;
  const [rows, set] = useState(() => rowsOf(stored, newKey));
  /** What the rows were made from: as it is stored, or as it is being saved. */
  const basis = useRef(stored);
  useEffect(() => {
    basis.current = stored;
    const own = rows.filter((row) => problemOf(row, rows) !== null);
    if (!isSame(limitsOf(rows), stored)) set([...rowsOf(stored, newKey), ...own]);
    // Only another setting is news: what is being typed is not.
  }, [stored]);
  const { change, changeAtOnce, error } = useChanges(basis, stored);
  /** Whether there is something in the rows that was not left yet. */
  const isTyped = useRef(false);
  const save = async (next: readonly LimitRow[]): Promise<void> => {
    isTyped.current = false;
    set([...next]);
    await change(limitsOf(next));
  };
  const latest = useRef({ rows, save, changeAtOnce });
  latest.current = { rows, save, changeAtOnce };
  useEffect(() => {
    /** A page that is closed has no time to look at what is stored. */
    const goAway = (): void => {
      const typed = isTyped.current ? { limits: limitsOf(latest.current.rows) } : null;
      isTyped.current = false;
      latest.current.changeAtOnce(typed);
    };
    window.addEventListener("pagehide", goAway);
    return () => {
      // The way back by keyboard does not leave a field first.
      const gone = isTyped.current ? latest.current.save(latest.current.rows) : Promise.resolve();
      isBeingLeft(gone.finally(() => window.removeEventListener("pagehide", goAway)));
    };
  }, []);
  return {
    rows,
    type: (next: readonly LimitRow[]): void => {
      isTyped.current = true;
      set([...next]);
    },
    error,
    add: (): void => set([...rows, { key: newKey(), domains: "", perHour: "", connections: "" }]),
    save: (next: readonly LimitRow[]): void => void save(next),
    /** A row that was removed. */
    putBack: (row: LimitRow): void => void save([...latest.current.rows, row]),
  };
}

/** Changes on their way: another page may have set some limits since this one asked. */
function useChanges(basis: RefObject<Limits>, stored: Limits) {
  const queries = useQueryClient();
  const { mutateAsync, error } = useChangeSettings(useSaved());
  const latestStored = useRef(stored);
  latestStored.current = stored;
  /** Those that are sent as soon as what is stored was looked at. */
  const waiting = useRef<Change[]>([]);
  const send = async ({ before, limits }: Change): Promise<void> => {
    const now = queries.getQueryData<Settings>(SETTINGS)?.domainLimits ?? null;
    await mutateAsync({ domainLimits: changedOnto(now, before, limits) }).catch(() => {
      basis.current = latestStored.current;
    });
  };
  return {
    error,
    async change(limits: Limits): Promise<void> {
      const one = { before: basis.current, limits };
      if (isSame(limits, one.before)) return;
      basis.current = limits;
      waiting.current.push(one);
      await seenAgain(queries, SETTINGS);
      if (!waiting.current.includes(one)) return;
      waiting.current = waiting.current.filter((other) => other !== one);
      await send(one);
    },
    /** Sends what waits, with what was typed since; null: nothing was. */
    changeAtOnce(typed: { readonly limits: Limits } | null): void {
      const before = waiting.current[0]?.before ?? basis.current;
      const limits = typed === null ? basis.current : typed.limits;
      waiting.current = [];
      basis.current = limits;
      if (!isSame(limits, before)) void send({ before, limits });
    },
  };
}
