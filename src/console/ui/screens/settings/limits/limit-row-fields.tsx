import { ActionIcon, NumberInput, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../../../texts/texts.tsx";
import { LIMIT_MAX, type LimitRow, type RowProblem } from "./domain-limits.ts";

type Props = {
  readonly row: LimitRow;
  readonly problem: RowProblem | null;
  readonly onChange: (row: LimitRow) => void;
  readonly onLeave: () => void;
  /** Null: the person may only look. */
  readonly onRemove: (() => void) | null;
};

/** One provider: its domains, and how much may go there. */
export function LimitRowFields({ row, problem, onChange, onLeave, onRemove }: Props) {
  const { settings: texts } = useTexts();
  const [isLeft, setLeft] = useState(false);
  const isOff = onRemove === null;
  const says = isLeft && problem !== null ? texts.limitProblems[problem] : null;
  const number = (name: keyof typeof LIMIT_MAX) => ({
    label: texts.limitColumns[name],
    min: 1,
    max: LIMIT_MAX[name],
    allowDecimal: false,
    thousandSeparator: " ",
    disabled: isOff,
    value: row[name],
    onChange: (value: string | number) => onChange({ ...row, [name]: value === "" ? "" : Number(value) }),
  });
  return (
    <div
      className="settings-row"
      role="group"
      aria-label={row.domains || texts.newLimit}
      onBlur={(event) => {
        // From one field of it to the next, it is not left.
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setLeft(true);
        onLeave();
      }}
    >
      <TextInput
        label={texts.limitColumns.domains}
        placeholder="gmail.com, googlemail.com"
        disabled={isOff}
        autoFocus={row.domains === "" && row.perHour === "" && !isOff}
        value={row.domains}
        error={says}
        onChange={(event) => onChange({ ...row, domains: event.currentTarget.value })}
      />
      <NumberInput {...number("perHour")} />
      <NumberInput {...number("connections")} />
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.removeLimit(row.domains)}
          onClick={onRemove}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}
