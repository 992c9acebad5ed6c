import { TextInput } from "@mantine/core";
import { useTexts } from "../../texts/texts.tsx";
import { readNumber, writeNumber } from "./typed-number.ts";
import { useTypedText } from "./typed-text.ts";

type Props = {
  readonly label?: string;
  readonly "aria-label"?: string;
  readonly disabled?: boolean;
  /** Null: none, or what was typed is none. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
};

/** A field for any number. It shows what was typed, and says so if that is no number. */
export function NumberText({ value, onChange, ...names }: Props) {
  const { contact } = useTexts();
  const { text, type } = useTypedText(value, written);
  const isBad = text.trim() !== "" && readNumber(text) === null;
  return (
    <TextInput
      {...names}
      inputMode="decimal"
      value={text}
      error={isBad ? contact.noNumber : null}
      onChange={(event) => {
        const next = event.currentTarget.value;
        const number = readNumber(next);
        type(next, number);
        onChange(number);
      }}
    />
  );
}

const written = (value: number | null): string => (value === null ? "" : writeNumber(value));
