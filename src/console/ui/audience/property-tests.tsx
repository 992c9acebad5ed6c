import { Button, Fieldset, NativeSelect, Stack, TextInput } from "@mantine/core";
import { AS_TYPED } from "../parts/typing.ts";
import { useTexts } from "../texts/texts.tsx";
import { PROPERTY_OPS, propertyKindOf, type Op } from "./rules/fields.ts";
import type { PropertyTest } from "./rules/model.ts";
import { ValueInput } from "./value-input.tsx";

type Props = {
  readonly tests: readonly PropertyTest[];
  readonly onChange: (tests: readonly PropertyTest[]) => void;
};

/** The tests of an event's properties. */
export function PropertyTests({ tests, onChange }: Props) {
  const { rules } = useTexts();
  const change = (at: number, part: Partial<PropertyTest>): void =>
    onChange(tests.map((test, i) => (i === at ? { ...test, ...part } : test)));
  return (
    <>
      {tests.map((test, at) => (
        <Fieldset key={at} legend={rules.property} p="xs">
          <Stack gap="xs">
            <TextInput
              {...AS_TYPED}
              aria-label={rules.property}
              placeholder="cart.total"
              value={test.property}
              onChange={(event) => change(at, { property: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={rules.op}
              value={test.op}
              onChange={(event) => change(at, { op: event.currentTarget.value as Op })}
              data={PROPERTY_OPS.map((op) => ({ value: op, label: rules.ops[op] }))}
            />
            <ValueInput
              kind={propertyKindOf(test.op)}
              value={test.value}
              meant={test.meant}
              onChange={(value, meant) => change(at, { value, meant })}
            />
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onChange(tests.filter((_, i) => i !== at))}
            >
              {rules.removeTest}
            </Button>
          </Stack>
        </Fieldset>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => onChange([...tests, { property: "", op: "equals", value: "", meant: "text" }])}
      >
        {rules.addTest}
      </Button>
    </>
  );
}
