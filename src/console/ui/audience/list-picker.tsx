import { NativeSelect, Select } from "@mantine/core";
import { useState } from "react";
import { NOT_LOADED, useChoices, type Choice, type NamedKind } from "./choices.ts";
import { useMoreLists } from "./more-lists.ts";

/** A menu of more is no menu: from here on somebody types a part of the name. */
const MENU_MAX = 20;

type Props = {
  readonly label: string;
  /** Whether the label is only said, not seen. */
  readonly isLabelSaid?: boolean;
  readonly description?: string;
  readonly lists: readonly Choice[];
  /** What is chosen, if not lists. Only lists may be more than are loaded, and are looked for on the server. */
  readonly kind?: NamedKind;
  /** Empty: none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** What no list is called; null: there has to be one. */
  readonly none: string | null;
  readonly disabled?: boolean;
  readonly isFirst?: boolean;
};

/** One list, or none. */
export function ListPicker({ lists, none, value, onChange, ...props }: Props) {
  const { label, kind = "list", isLabelSaid = false, isFirst = false, ...rest } = props;
  const named = isLabelSaid ? { "aria-label": label } : { label };
  const shared = { ...rest, ...named, value, ...(isFirst ? { "data-autofocus": true } : {}) };
  const [typed, setTyped] = useState("");
  const loaded = useChoices("list");
  const more = useMoreLists(kind === "list" ? loaded : undefined, { chosen: [value], typed });
  const data = [...lists, ...more].map(({ id, name }) => ({ value: id, label: name }));
  // Its name may not be there yet: it is chosen all the same.
  if (value !== "" && !data.some((one) => one.value === value)) data.unshift({ value, label: NOT_LOADED });
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
      onSearchChange={setTyped}
      limit={100}
    />
  );
}
