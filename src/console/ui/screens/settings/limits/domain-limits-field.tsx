import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSession } from "../../../frame/session/session.tsx";
import { useUndo } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { problemOf, type LimitRow } from "./domain-limits.ts";
import { LimitRowFields } from "./limit-row-fields.tsx";
import { useLimitRows } from "./use-limit-rows.ts";

/** How much goes to each provider: a row for each, saved when somebody leaves it. */
export function DomainLimitsField() {
  const { settings: texts } = useTexts();
  const mayEdit = useSession().may("owner");
  const { rows, type, save, putBack, add, error } = useLimitRows();
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
          onChange={(next) => type(rows.map((each) => (each.key === row.key ? next : each)))}
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
