import { ActionIcon, Autocomplete, Button, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { removeSocial, setSocial, socialEntries, type SocialEntry } from "../../letter/edit-letter.ts";
import type { SocialBlock } from "../../letter/letter.ts";
import { wholeAddress } from "../../letter/whole-address.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useBlockActions } from "./block-actions.tsx";
import { AlignField } from "./fields.tsx";

/** The networks that mjml has a sign for. */
const NETWORKS = [
  "facebook",
  "github",
  "instagram",
  "linkedin",
  "medium",
  "pinterest",
  "web",
  "x",
  "youtube",
];

export function SocialFields({ block }: { readonly block: SocialBlock }) {
  const { letter } = useTexts();
  const { edit } = useBlockActions();
  const entries = socialEntries(block);
  const write = (next: readonly SocialEntry[], about?: string) =>
    edit((open) => setSocial(open, block.id, next), about);
  return (
    <Stack gap="sm">
      {entries.map((entry, at) => (
        <Entry
          key={at}
          entry={entry}
          onChange={(next) => write(entries.with(at, next), `${block.id} link ${at}`)}
          onRemove={() => edit((open) => removeSocial(open, block.id, at))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => write([...entries, { network: "web", href: "", label: "" }])}
        >
          {letter.addLink}
        </Button>
      </Group>
      <AlignField piece={block} />
    </Stack>
  );
}

type EntryProps = {
  readonly entry: SocialEntry;
  readonly onChange: (entry: SocialEntry) => void;
  readonly onRemove: () => void;
};

function Entry({ entry, onChange, onRemove }: EntryProps) {
  const { letter } = useTexts();
  return (
    <Group align="flex-end" gap="xs" className="social-entry">
      <Autocomplete
        label={letter.network}
        data={NETWORKS}
        value={entry.network}
        onChange={(network) => onChange({ ...entry, network })}
      />
      <TextInput
        className="grow"
        label={letter.href}
        placeholder={letter.hrefHint}
        value={entry.href}
        onChange={({ currentTarget }) => onChange({ ...entry, href: currentTarget.value })}
        onBlur={() => {
          const href = wholeAddress(entry.href);
          if (href !== entry.href) onChange({ ...entry, href });
        }}
      />
      <TextInput
        label={letter.label}
        value={entry.label}
        onChange={({ currentTarget }) => onChange({ ...entry, label: currentTarget.value })}
      />
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={onRemove} aria-label={letter.removeLink}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
