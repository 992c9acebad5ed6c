import { Autocomplete, Button, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { AS_TYPED } from "../parts/typing.ts";
import { useTexts } from "../texts/texts.tsx";
import { PropertyTests } from "./property-tests.tsx";
import { useAttributeNames, useAttributes } from "../api/attributes.ts";
import { useRuleSentences } from "./choices.ts";
import { changeChip, meantBy } from "./rules/edit.ts";
import { FIELD_KINDS, hasWithinDays, opsOf, valueKindOf } from "./rules/fields.ts";
import type { FieldKind, Op } from "./rules/fields.ts";
import type { Chip, RuleDraft } from "./rules/model.ts";
import type { ProblemCode } from "./rules/write.ts";
import { ValueInput } from "./value-input.tsx";

type Props = {
  readonly chip: Chip;
  readonly problem: ProblemCode | null;
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
  readonly onDone: () => void;
};

/** One condition: its field, its op, and the value that it compares with. */
export function ChipEditor({ chip, problem, draft, onChange, onDone }: Props) {
  const { rules } = useTexts();
  const { words } = useRuleSentences();
  const attributes = useAttributes();
  const change = (part: Parameters<typeof changeChip>[2]): void => {
    const name = part.name ?? chip.name;
    const types = attributes.find((one) => one.name === name)?.types ?? [];
    onChange(changeChip(draft, chip.key, part, meantBy(types)));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // It stands outside the form that the rules are in, but for React inside: that one would be saved.
        event.stopPropagation();
        onDone();
      }}
    >
      <Stack gap="xs">
        <NativeSelect
          label={rules.field}
          value={chip.field}
          onChange={(event) => change({ field: event.currentTarget.value as FieldKind })}
          data={FIELD_KINDS.map((field) => ({ value: field, label: words.fields[field] }))}
        />
        <NameInput chip={chip} onChange={(name) => change({ name })} />
        <NativeSelect
          label={rules.op}
          value={chip.op}
          onChange={(event) => change({ op: event.currentTarget.value as Op })}
          data={opsOf(chip.field).map((op) => ({ value: op, label: rules.ops[op] }))}
        />
        <ValueInput
          kind={valueKindOf(chip.field, chip.op)}
          value={chip.value}
          meant={chip.meant}
          onChange={(value, meant) => change({ value, meant })}
        />
        {chip.field === "attribute" && <Compared op={chip.op} />}
        {hasWithinDays(chip.field) && (
          <TextInput
            label={rules.withinDays}
            description={rules.withinDaysSays}
            inputMode="decimal"
            value={chip.withinDays}
            onChange={(event) => change({ withinDays: event.currentTarget.value })}
          />
        )}
        {chip.field === "event" && (
          <PropertyTests tests={chip.where} onChange={(where) => change({ where })} />
        )}
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)">
            {rules.problems[problem]}
          </Text>
        )}
        <Button type="submit">{rules.done}</Button>
      </Stack>
    </form>
  );
}

const OF_NUMBERS: readonly Op[] = ["greaterThan", "lessThan"];
const OF_DATES: readonly Op[] = ["before", "after", "withinDays", "notWithinDays"];

/** Which values such a condition compares: of texts it says nothing, and files bring texts where nobody chose. */
function Compared({ op }: { readonly op: Op }) {
  const { rules } = useTexts();
  const says = OF_NUMBERS.includes(op) ? rules.numbersOnly : OF_DATES.includes(op) ? rules.datesOnly : null;
  return (
    says && (
      <Text size="xs" c="dimmed">
        {says}
      </Text>
    )
  );
}

function NameInput({ chip, onChange }: { readonly chip: Chip; readonly onChange: (name: string) => void }) {
  const { rules } = useTexts();
  const names = useAttributeNames();
  if (chip.field === "event")
    return (
      <TextInput
        {...AS_TYPED}
        label={rules.eventName}
        data-autofocus
        value={chip.name}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (chip.field !== "attribute") return null;
  return (
    <Autocomplete
      label={rules.attributeName}
      data-autofocus
      comboboxProps={{ withinPortal: false }}
      data={[...names]}
      value={chip.name}
      onChange={onChange}
    />
  );
}
