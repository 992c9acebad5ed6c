import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useChangeSettings, useSettings } from "../../../api/settings.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useUndo } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaved } from "../parts/saved.tsx";
import { isSame, limitsOf, problemOf, rowsOf, type LimitRow } from "./domain-limits.ts";
import { LimitRowFields } from "./limit-row-fields.tsx";

/** How much goes to each provider: a row for each, saved when somebody leaves it. */
export function DomainLimitsField() {
  const { settings: texts } = useTexts();
  const mayEdit = useSession().may("owner");
  const { rows, set, save, put, add, error } = useRows();
  const undo = useUndo();
  const remove = (row: LimitRow): void => {
    save(rows.filter(({ key }) => key !== row.key));
    if (problemOf(row, rows) === null) undo(texts.limitRemoved(row.domains), () => put(rows));
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
  const stored = useSettings().data?.domainLimits ?? null;
  const { mutate, error } = useChangeSettings(useSaved());
  const keys = useRef(0);
  const newKey = (): number => keys.current++;
  const [rows, set] = useState(() => rowsOf(stored, newKey));
  useEffect(() => {
    const own = rows.filter((row) => problemOf(row, rows) !== null);
    if (!isSame(limitsOf(rows), stored)) set([...rowsOf(stored, newKey), ...own]);
    // Only another setting is news: what is being typed is not.
  }, [stored]);
  const put = (next: readonly LimitRow[]): void => {
    set([...next]);
    mutate({ domainLimits: limitsOf(next) });
  };
  return {
    rows,
    set,
    error,
    add: (): void => set([...rows, { key: newKey(), domains: "", perHour: "", connections: "" }]),
    put,
    save: (next: readonly LimitRow[]): void => (isSame(limitsOf(next), stored) ? set([...next]) : put(next)),
  };
}
