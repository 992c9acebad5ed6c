import { NativeSelect, TextInput } from "@mantine/core";
import { useZone } from "../api/settings.ts";
import { instantOf, wallOf } from "../frame/zone-time.ts";
import { AS_TYPED } from "../parts/typing.ts";
import { useTexts } from "../texts/texts.tsx";
import { useChoices, useNameOf, type NamedKind } from "./choices.ts";
import { ListPicker } from "./list-picker.tsx";
import { NamePicker } from "./name-picker.tsx";
import { TagInput } from "./tag-input.tsx";
import { STATUSES, type ValueKind } from "./rules/fields.ts";
import type { Meant } from "./rules/model.ts";

type Props = {
  readonly kind: ValueKind;
  readonly value: string;
  readonly meant: Meant;
  readonly onChange: (value: string, meant: Meant) => void;
};

/** The value that a condition compares with, by its kind. */
export function ValueInput(props: Props) {
  const { kind, value, onChange } = props;
  const { rules } = useTexts();
  switch (kind) {
    case "none":
      return null;
    case "status":
      return (
        <NativeSelect
          label={rules.value}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value, "text")}
          data={STATUSES.map((status) => ({ value: status, label: rules.statuses[status] }))}
        />
      );
    case "list":
    case "segment":
    case "campaign":
      return <NamedInput {...props} kind={kind} />;
    case "moment":
    case "date":
      return <DateInput {...props} kind={kind} />;
    case "scalar":
      return <ScalarInput {...props} />;
    case "number":
    case "count":
    case "days":
      return (
        <TextInput
          data-autofocus
          label={kind === "days" ? rules.days : kind === "count" ? rules.times : rules.value}
          inputMode="decimal"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value, "number")}
        />
      );
    case "tag":
      return <TagInput isFirst label={rules.value} value={value} onChange={(tag) => onChange(tag, "text")} />;
    case "text":
      return (
        <TextInput
          {...AS_TYPED}
          data-autofocus
          label={rules.value}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value, "text")}
        />
      );
  }
}

function NamedInput({ kind, value, onChange }: Props & { readonly kind: NamedKind }) {
  const { rules } = useTexts();
  const choices = useChoices(kind);
  const nameOf = useNameOf(kind);
  // Of more lists than are loaded, the picker looks for the chosen one itself.
  const isLookedUp = kind === "list" && nameOf(value) !== null;
  const isKnown = value === "" || value === "any" || choices.some(({ id }) => id === value) || isLookedUp;
  const known = [
    ...(kind === "campaign" ? [{ id: "any", name: rules.anyCampaign }] : []),
    ...(isKnown ? [] : [{ id: value, name: nameOf(value) ?? rules.gone }]),
    ...choices,
  ];
  const shared = { isFirst: true, label: rules.value, value, onChange: (id: string) => onChange(id, "text") };
  if (kind === "list") return <ListPicker {...shared} none={rules.choose} lists={known} />;
  return <NamePicker {...shared} none={kind === "campaign" ? null : rules.choose} choices={known} />;
}

/**
 * A day. For a moment, this is the start of the workspace's day, wherever the browser is; a moment that was read and not
 * changed stays exact.
 */
function DateInput({ kind, value, onChange }: Props & { readonly kind: "moment" | "date" }) {
  const { rules } = useTexts();
  const zone = useZone();
  const at = new Date(value);
  const isMoment = value.includes("T") && !Number.isNaN(at.getTime());
  const shown = (isMoment ? wallOf(at, zone) : value).slice(0, 10);
  return (
    <TextInput
      data-autofocus
      type="date"
      label={rules.value}
      description={kind === "moment" && rules.dayStarts(zone)}
      value={shown}
      onChange={(event) => {
        const day = event.currentTarget.value;
        const start = kind === "date" ? null : instantOf(`${day}T00:00`, zone);
        onChange(start?.toISOString() ?? day, "text");
      }}
    />
  );
}

function ScalarInput({ value, meant, onChange }: Props) {
  const { rules } = useTexts();
  return (
    <>
      <NativeSelect
        label={rules.meant}
        value={meant}
        onChange={(event) => {
          const next = event.currentTarget.value as Meant;
          onChange(next === "yesNo" ? "true" : meant === "yesNo" ? "" : value, next);
        }}
        data={(["text", "number", "yesNo"] as const).map((each) => ({
          value: each,
          label: rules.meants[each],
        }))}
      />
      {meant === "yesNo" ? (
        <NativeSelect
          label={rules.value}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value, meant)}
          data={[
            { value: "true", label: rules.yes },
            { value: "false", label: rules.no },
          ]}
        />
      ) : (
        <TextInput
          {...AS_TYPED}
          label={rules.value}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value, meant)}
        />
      )}
    </>
  );
}
