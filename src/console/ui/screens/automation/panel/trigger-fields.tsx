import { Select, TextInput } from "@mantine/core";
import { AS_TYPED } from "../../../parts/typing.ts";
import { useTexts } from "../../../texts/texts.tsx";
import type { FieldsProps } from "./fields-props.ts";
import { textOf } from "./use-data.ts";

export function EventFields({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  return (
    <TextInput
      {...AS_TYPED}
      label={panel.eventName}
      description={panel.eventSays}
      placeholder="order_placed"
      disabled={isDisabled}
      value={textOf(data, "eventName")}
      onChange={(event) => write({ eventName: event.currentTarget.value })}
    />
  );
}

type ReenrollProps = FieldsProps & { readonly usual: "once" | "each_time" };

/** Whether people who were in before may enter again. Not sent if it is the trigger's default. */
export function ReenrollField({ data, write, isDisabled, usual }: ReenrollProps) {
  const { panel } = useTexts().automations;
  const choices = [
    { value: "once", label: panel.reenrollOnce },
    { value: "each_time", label: panel.reenrollEach },
  ];
  return (
    <Select
      label={panel.reenroll}
      data={choices}
      allowDeselect={false}
      disabled={isDisabled}
      value={textOf(data, "reenroll") || usual}
      onChange={(value) => write({ reenroll: value === usual ? undefined : value })}
    />
  );
}
