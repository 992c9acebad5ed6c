import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { wholeAddress } from "../../letter/whole-address.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly href: string; readonly onApply: (href: string) => void };

/** The address of the link at the cursor, or of a new link on the selected words. Empty removes the link. */
export function LinkForm({ href, onApply }: Props) {
  const { letter } = useTexts();
  const [address, setAddress] = useState(href);
  return (
    <form
      className="link-form"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onApply(wholeAddress(address));
      }}
    >
      <Group wrap="nowrap" gap="xs">
        <TextInput
          className="grow"
          size="xs"
          data-autofocus
          autoFocus
          aria-label={letter.linkAddress}
          placeholder={letter.hrefHint}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button size="compact-sm" type="submit">
          {letter.apply}
        </Button>
      </Group>
    </form>
  );
}
