import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../texts/texts.tsx";

type Props = {
  /** What some people do not have. */
  readonly name: string;
  readonly onApply: (words: string) => void;
};

/** What stands in the letter of who has none. Left empty, nothing does. */
export function OtherwiseForm({ name, onApply }: Props) {
  const { letter } = useTexts();
  const [words, setWords] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onApply(words);
      }}
    >
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label={letter.otherwise(name)}
          description={letter.otherwiseSays}
          placeholder={letter.otherwiseHint}
          maxLength={100}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" className="dialog-action">
          {letter.insertTag}
        </Button>
      </Stack>
    </form>
  );
}
