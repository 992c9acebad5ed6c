import { Group, Paper, Stack, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import type { Contact } from "../../api/api.gen.ts";
import { ManyTags } from "../../audience/tag-input.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { isComposing } from "../../parts/typing.ts";
import { useTexts } from "../../texts/texts.tsx";
import type { SaveContact } from "./save-contact.ts";
import { useWanted, type KeepWords } from "./wanted.ts";

type Props = {
  readonly contact: Contact;
  readonly save: SaveContact | null;
  readonly keepTags: KeepWords | null;
};

/** Address, names and tags, edited in place. */
export function PersonCard({ contact, save, keepTags }: Props) {
  const { contact: texts, contacts } = useTexts();
  const tags = useWanted(contact.tags, keepTags);
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{texts.person}</Title>
        <Line
          label={contacts.email}
          value={contact.email}
          save={save && ((email) => save({ email }))}
          isNeeded
        />
        <Group grow>
          <Line
            label={contacts.firstName}
            value={contact.firstName}
            save={save && ((firstName) => save({ firstName }))}
          />
          <Line
            label={contacts.lastName}
            value={contact.lastName}
            save={save && ((lastName) => save({ lastName }))}
          />
        </Group>
        <ManyTags
          label={contacts.tags}
          description={texts.tagsSays}
          value={tags.wanted}
          onChange={keepTags && tags.change}
        />
        <p className="contact-added">
          {texts.added} <RelativeTime at={contact.createdAt} />
        </p>
      </Stack>
    </Paper>
  );
}

type LineProps = {
  readonly label: string;
  readonly value: string;
  readonly save: ((value: string) => void) | null;
  readonly isNeeded?: boolean;
  readonly error?: string | null;
};

/**
 * A field that is saved when somebody leaves it or presses Enter; Escape discards what was typed. What comes from the server
 * replaces only what was sent: what is typed on meanwhile stays.
 */
export function Line({ label, value, save, isNeeded = false, error = null }: LineProps) {
  const [typed, setTyped] = useState({ value, text: value });
  const [sent, setSent] = useState<string | null>(null);
  const isStored = typed.text === typed.value || typed.text === sent;
  const text = typed.value !== value && isStored ? value : typed.text;
  const keep = (): void => {
    if (save === null || text === value) return;
    if (isNeeded && text.trim() === "") return setTyped({ value, text: value });
    setSent(text);
    save(text);
  };
  return (
    <TextInput
      label={label}
      value={text}
      readOnly={save === null}
      error={error}
      onChange={(event) => setTyped({ value, text: event.currentTarget.value })}
      onBlur={keep}
      onKeyDown={(event) => {
        if (isComposing(event)) return;
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setTyped({ value, text: value });
      }}
    />
  );
}
