import { Group, Paper, Stack, Title } from "@mantine/core";
import type { Contact } from "../../api/api.gen.ts";
import { ManyTags } from "../../audience/tag-input.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { Line } from "./line.tsx";
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
  const lineOf = (field: "email" | "firstName" | "lastName") => ({
    contact,
    name: field,
    label: contacts[field],
    valueOf: (one: Contact) => one[field],
    save: save && (async (text: string) => (await save({ [field]: text }))[field]),
  });
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{texts.person}</Title>
        <Line {...lineOf("email")} isNeeded />
        <Group grow align="start">
          <Line {...lineOf("firstName")} />
          <Line {...lineOf("lastName")} />
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
