import { Alert, Button, Select, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { newLine, readLines, writeLines, type Line, type Match } from "../../../flow/condition-lines.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { ConditionLine } from "./condition-line.tsx";
import type { FieldsProps } from "./fields-props.ts";

/** The lines of a condition, and whether all must hold or one. */
export function ConditionFields({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  const read = readLines(data);
  if (read === null) return <Alert color="gray">{panel.lockedLines}</Alert>;
  const { match, lines } = read;
  const save = (next: { match?: Match; lines?: readonly Line[] }) => {
    const written = writeLines(data, { match: next.match ?? match, lines: next.lines ?? lines });
    write({ all: undefined, any: undefined, ...written });
  };
  return (
    <Stack gap="sm">
      <Select
        label={panel.match}
        data={[
          { value: "all", label: panel.matchAll },
          { value: "any", label: panel.matchAny },
        ]}
        allowDeselect={false}
        disabled={isDisabled}
        value={match}
        onChange={(next) => save({ match: next === "any" ? "any" : "all" })}
      />
      {lines.map((line, index) => (
        <ConditionLine
          // Lines have no ids; they never change places.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          line={line}
          isDisabled={isDisabled}
          onChange={(next) => save({ lines: lines.with(index, next) })}
          onRemove={lines.length > 1 ? () => save({ lines: lines.toSpliced(index, 1) }) : null}
        />
      ))}
      {!isDisabled && (
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => save({ lines: [...lines, newLine("tag")] })}
        >
          {panel.addLine}
        </Button>
      )}
    </Stack>
  );
}
