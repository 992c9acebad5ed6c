import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTexts } from "../texts/texts.tsx";

/** The server is asked when somebody pauses. */
const PAUSE_MS = 250;

type Props = {
  readonly label: string;
  /** What is looked for now, as it stands in the address. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
};

/** Part of a name, looked for while somebody types. */
export function NameSearch({ label, value, onSearch }: Props) {
  const { frame } = useTexts();
  const { text, type, clear } = useTyped(value, onSearch);
  const field = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      ref={field}
      data-search
      type="search"
      className="name-search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== "" && (
          <CloseButton
            size="sm"
            aria-label={frame.clearSearch}
            onClick={() => {
              clear();
              field.current?.focus();
            }}
          />
        )
      }
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

/** What stands in the field, which is ahead of what is looked for. */
function useTyped(value: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState({ value, text: value });
  const search = useDebouncedCallback(onSearch, PAUSE_MS);
  // What is cleared elsewhere, or comes back with the address, is shown too. A space at the end is not looked for,
  // but it stays: the next word may follow.
  const isOwn = typed.value === value || typed.text.trim() === value;
  return {
    text: isOwn ? typed.text : value,
    type(text: string): void {
      setTyped({ value, text });
      search(text.trim());
    },
    clear(): void {
      search.cancel();
      setTyped({ value, text: "" });
      onSearch("");
    },
  };
}
