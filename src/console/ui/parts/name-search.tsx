import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

/** The server is asked when somebody pauses. */
const PAUSE_MS = 250;

type Props = { readonly label: string; readonly value: string; readonly onSearch: (text: string) => void };

/** Part of a name, looked for while somebody types. */
export function NameSearch({ label, value, onSearch }: Props) {
  const [typed, setTyped] = useState({ value, text: value });
  // What is cleared elsewhere, or comes back with the address, is shown too.
  const text = typed.value === value ? typed.text : value;
  const search = useDebouncedCallback(onSearch, PAUSE_MS);
  return (
    <TextInput
      data-search
      type="search"
      className="name-search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setTyped({ value, text: currentTarget.value });
        search(currentTarget.value);
      }}
    />
  );
}
