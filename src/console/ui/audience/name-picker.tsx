import { NativeSelect, Select } from "@mantine/core";
import { NOT_LOADED, type Choice } from "./choices.ts";

/** A menu of more is no menu: from here on somebody types a part of the name. */
const MENU_MAX = 20;

export type PickerProps = {
  readonly label: string;
  /** Whether the label is only said, not seen. */
  readonly isLabelSaid?: boolean;
  readonly description?: string;
  /** The id of what is chosen. Empty: nothing. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** What the choice of nothing is called; null: something has to be chosen. */
  readonly none: string | null;
  readonly disabled?: boolean;
  readonly isFirst?: boolean;
};

type Props = PickerProps & {
  readonly choices: readonly Choice[];
  /** Choices that were found on the server besides. */
  readonly found?: readonly Choice[];
  readonly onSearch?: (typed: string) => void;
};

/** One thing by its name, or none: a menu of a few, a searchable field for many. */
export function NamePicker({ choices, found = [], none, value, onChange, onSearch, ...props }: Props) {
  const { label, isLabelSaid = false, isFirst = false, ...rest } = props;
  const named = isLabelSaid ? { "aria-label": label } : { label };
  const shared = { ...rest, ...named, value, ...(isFirst ? { "data-autofocus": true } : {}) };
  const data = [...choices, ...found].map(({ id, name }) => ({ value: id, label: name }));
  // Its name may not be there yet: it is chosen all the same.
  if (value !== "" && !data.some((one) => one.value === value)) data.unshift({ value, label: NOT_LOADED });
  if (choices.length <= MENU_MAX)
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
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch })}
      limit={100}
    />
  );
}
