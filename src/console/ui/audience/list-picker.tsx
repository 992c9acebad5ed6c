import { NativeSelect, Select } from "@mantine/core";
import type { Choice } from "./choices.ts";

/** A menu of more is no menu: from here on somebody types a part of the name. */
const MENU_MAX = 20;

type Props = {
  readonly label: string;
  /** Whether the label is only said, not seen. */
  readonly isLabelSaid?: boolean;
  readonly description?: string;
  readonly lists: readonly Choice[];
  /** Empty: none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** What no list is called; null: there has to be one. */
  readonly none: string | null;
  readonly disabled?: boolean;
  readonly isFirst?: boolean;
};

/** One list, or none. */
export function ListPicker({ lists, none, value, onChange, isFirst = false, ...props }: Props) {
  const { label, isLabelSaid = false, ...rest } = props;
  const named = isLabelSaid ? { "aria-label": label } : { label };
  const shared = { ...rest, ...named, value, ...(isFirst ? { "data-autofocus": true } : {}) };
  const data = lists.map(({ id, name }) => ({ value: id, label: name }));
  if (lists.length <= MENU_MAX)
    return (
      <NativeSelect
        {...shared}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={none === null ? data : [{ value: "", label: none }, ...data]}
      />
    );
  return (
    <Select
      {...shared}
      value={value === "" ? null : value}
      onChange={(id) => onChange(id ?? "")}
      data={data}
      {...(none === null ? { allowDeselect: false } : { placeholder: none, clearable: true })}
      searchable
      limit={100}
    />
  );
}
