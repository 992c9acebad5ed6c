import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Settings } from "../../../api/api.gen.ts";
import { SETTINGS, useChangeSettings, useSettings } from "../../../api/settings.ts";
import { seenAgain } from "../../../autosave/seen-again.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useUndo } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaved } from "../parts/saved.tsx";
import { changedOnto, isSame, limitsOf, problemOf, rowsOf, type LimitRow } from "./domain-limits.ts";
import { LimitRowFields } from "./limit-row-fields.tsx";

/** How much goes to each provider: a row for each, saved when somebody leaves it. */
export function DomainLimitsField() {
  const { settings: texts } = useTexts();
  const mayEdit = useSession().may("owner");
  const { rows, set, save, putBack, add, error } = useRows();
  const undo = useUndo();
  const remove = (row: LimitRow): void => {
    save(rows.filter(({ key }) => key !== row.key));
    if (problemOf(row, rows) === null) undo(texts.limitRemoved(row.domains), () => putBack(row));
  };
  return (
    <fieldset className="settings-rows">
      <legend>{texts.fields.domainLimits.label}</legend>
      <p className="settings-rows-says">{texts.fields.domainLimits.says}</p>
      {rows.map((row) => (
        <LimitRowFields
          key={row.key}
          row={row}
          problem={problemOf(row, rows)}
          onChange={(next) => set(rows.map((each) => (each.key === row.key ? next : each)))}
          onLeave={() => save(rows)}
          onRemove={mayEdit ? () => remove(row) : null}
        />
      ))}
      {error && (
        <p role="alert" className="settings-rows-error">
          {error.message}
        </p>
      )}
      {mayEdit && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          {texts.addLimit}
        </Button>
      )}
    </fieldset>
  );
}

/** The rows as they are written: what is no limit yet is only here. */
function useRows() {
  const queries = useQueryClient();
  const stored = useSettings().data?.domainLimits ?? null;
  const { mutateAsync, error } = useChangeSettings(useSaved());
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
  const latest = useRef({ rows, stored });
  latest.current = { rows, stored };
  const save = async (next: readonly LimitRow[]): Promise<void> => {
    const before = basis.current;
    const limits = limitsOf(next);
    set([...next]);
    if (isSame(limits, before)) return;
    basis.current = limits;
    // All limits are saved as one. Another page may have set some since this one asked.
    await seenAgain(queries, SETTINGS);
    const now = queries.getQueryData<Settings>(SETTINGS)?.domainLimits ?? null;
    await mutateAsync({ domainLimits: changedOnto(now, before, limits) }).catch(() => {
      basis.current = latest.current.stored;
    });
  };
  return {
    rows,
    set,
    error,
    add: (): void => set([...rows, { key: newKey(), domains: "", perHour: "", connections: "" }]),
    save: (next: readonly LimitRow[]): void => void save(next),
    /** A row that was removed. */
    putBack: (row: LimitRow): void => void save([...latest.current.rows, row]),
  };
}
