import { Collapse, Group, Select, SimpleGrid, Stack, TextInput, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useRef } from "react";
import { ApiError } from "../../api/client.ts";
import { useSettings } from "../../api/settings.ts";
import { MergeTags } from "../../letter-editor/merge-tags.tsx";
import { useTexts } from "../../texts/texts.tsx";
import type { Draft, SetDraft } from "./draft/draft-fields.ts";

type Props = {
  readonly draft: Draft;
  readonly set: SetDraft;
  /** Why it could not be saved. */
  readonly refused: Error | null;
  readonly isReadOnly: boolean;
};

/** Subject, preview text and sender. */
export function HeadFields({ draft, set, refused, isReadOnly }: Props) {
  const { sending } = useTexts();
  return (
    <Stack gap="sm">
      <TaggedInput
        label={sending.subject}
        value={draft.subject}
        maxLength={998}
        isReadOnly={isReadOnly}
        error={draft.subject.trim() === "" && sending.subjectMissing}
        onChange={(subject) => set({ subject })}
        onTag={(subject) => set({ subject, personalize: true })}
      />
      <TaggedInput
        label={sending.preheader}
        description={sending.preheaderSays}
        value={draft.preheader}
        maxLength={998}
        isReadOnly={isReadOnly}
        onChange={(preheader) => set({ preheader })}
        onTag={(preheader) => set({ preheader, personalize: true })}
      />
      <Sender draft={draft} set={set} refused={refused} isReadOnly={isReadOnly} />
    </Stack>
  );
}

type TaggedProps = {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly maxLength: number;
  readonly isReadOnly: boolean;
  readonly error?: string | false;
  readonly onChange: (value: string) => void;
  readonly onTag: (value: string) => void;
};

/** A line of text with a menu of merge tags: what is filled in for each person. */
function TaggedInput({
  label,
  description,
  value,
  maxLength,
  isReadOnly,
  error,
  onChange,
  onTag,
}: TaggedProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        ref={input}
        className="grow"
        label={label}
        {...(description === undefined ? {} : { description })}
        maxLength={maxLength}
        readOnly={isReadOnly}
        error={error ?? false}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {!isReadOnly && (
        <MergeTags
          isBesideField
          onInsert={(tag) => {
            const at = input.current?.selectionStart ?? value.length;
            onTag(value.slice(0, at) + tag + value.slice(at));
          }}
        />
      )}
    </Group>
  );
}

function Sender({ draft, set, refused, isReadOnly }: Props) {
  const { sending } = useTexts();
  const settings = useSettings().data;
  const [isOpen, { toggle }] = useDisclosure(false);
  const sender = draft.fromName ?? settings?.fromName ?? "";
  const address = draft.fromEmail ?? settings?.fromEmail ?? "";
  return (
    <div>
      <UnstyledButton className="sender-line" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        <span className="sender-label">{sending.from}</span>
        <span>
          <bdi>{sender}</bdi> &lt;{address}&gt;
        </span>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
            <OptionalLine
              label={sending.fromName}
              value={draft.fromName}
              placeholder={settings?.fromName ?? sending.asWorkspace}
              error={refusalOf(refused, "fromName")}
              isReadOnly={isReadOnly}
              onChange={(fromName) => set({ fromName })}
            />
            <OptionalLine
              label={sending.fromEmail}
              value={draft.fromEmail}
              placeholder={settings?.fromEmail ?? sending.asWorkspace}
              error={refusalOf(refused, "fromEmail")}
              isReadOnly={isReadOnly}
              onChange={(fromEmail) => set({ fromEmail })}
            />
            <OptionalLine
              label={sending.replyTo}
              value={draft.replyTo}
              placeholder={sending.asWorkspace}
              error={refusalOf(refused, "replyTo")}
              isReadOnly={isReadOnly}
              onChange={(replyTo) => set({ replyTo })}
            />
            <span />
            {(["trackOpens", "trackClicks"] as const).map((name) => (
              <Tracking
                key={name}
                label={sending[name]}
                value={draft[name]}
                isReadOnly={isReadOnly}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
          </SimpleGrid>
        )}
      </Collapse>
    </div>
  );
}

const refusalOf = (refused: Error | null, field: keyof Draft): string | null =>
  refused instanceof ApiError && refused.field?.name === field ? refused.field.says : null;

type LineProps = {
  readonly label: string;
  readonly value: string | null;
  readonly placeholder: string;
  readonly error: string | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string | null) => void;
};

/** An empty field means the workspace's value, which is shown in grey. */
const OptionalLine = ({ label, value, placeholder, error, isReadOnly, onChange }: LineProps) => (
  <TextInput
    label={label}
    placeholder={placeholder}
    error={error}
    readOnly={isReadOnly}
    value={value ?? ""}
    onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.value)}
  />
);

type TrackingProps = {
  readonly label: string;
  readonly value: boolean | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: boolean | null) => void;
};

function Tracking({ label, value, isReadOnly, onChange }: TrackingProps) {
  const { sending } = useTexts();
  return (
    <Select
      label={label}
      allowDeselect={false}
      readOnly={isReadOnly}
      value={value === null ? "workspace" : value ? "yes" : "no"}
      onChange={(next) => onChange(next === "workspace" ? null : next === "yes")}
      data={(["workspace", "yes", "no"] as const).map((one) => ({
        value: one,
        label: sending.tracking[one],
      }))}
    />
  );
}
