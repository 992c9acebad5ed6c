import {
  Alert,
  ColorInput,
  NativeSelect,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { IconPalette } from "@tabler/icons-react";
import { useAttributeNames } from "../../api/attributes.ts";
import { useChoices, useHasNoList } from "../../audience/choices.ts";
import { FirstList } from "../../audience/first-list.tsx";
import { ListPicker } from "../../audience/list-picker.tsx";
import { useFormat } from "../../frame/format.ts";
import { useTexts } from "../../texts/texts.tsx";
import { LANGUAGE_OPTIONS } from "../settings/options.ts";
import { Confirmation } from "./confirmation.tsx";
import { fieldNames } from "./field-names.ts";
import { COLOURS, contrastProblems, isColour, styleText, withStyle, type FormDraft } from "./form-draft.ts";

type Props = {
  readonly draft: FormDraft;
  /** Null: the person may only read. */
  readonly onChange: ((draft: FormDraft) => void) | null;
};

/** Everything about a form: what it asks, what it says, and how it looks. */
export function FormSettings({ draft, onChange }: Props) {
  const { forms, contacts } = useTexts();
  const lists = useChoices("list");
  const hasNone = useHasNoList();
  const attributes = useAttributeNames();
  const names = fieldNames(contacts, [...attributes, ...draft.fields]);
  const isFixed = onChange === null;
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{forms.settings}</Title>
        <TextInput
          required
          label={forms.name}
          description={forms.nameSays}
          readOnly={isFixed}
          value={draft.name}
          onChange={(event) => onChange?.({ ...draft, name: event.currentTarget.value })}
        />
        {hasNone && onChange !== null ? (
          <FirstList onMade={(listId) => onChange({ ...draft, listId })} />
        ) : (
          <ListPicker
            label={forms.list}
            description={forms.listSays}
            disabled={isFixed}
            value={draft.listId ?? ""}
            onChange={(listId) => onChange?.({ ...draft, listId: listId || null })}
            none={forms.noList}
            lists={lists}
          />
        )}
        <TagsInput
          label={forms.fields}
          description={forms.fieldsSays}
          readOnly={isFixed}
          maxTags={20}
          data={names.offered}
          value={draft.fields.map(names.shown)}
          onChange={(fields) => onChange?.({ ...draft, fields: fields.map(names.stored) })}
        />
        <Textarea
          label={forms.message}
          description={forms.messageSays}
          autosize
          minRows={2}
          readOnly={isFixed}
          value={draft.successMessage}
          onChange={(event) => onChange?.({ ...draft, successMessage: event.currentTarget.value })}
        />
        <Confirmation />
        <Look draft={draft} onChange={onChange} />
      </Stack>
    </Paper>
  );
}

const SWATCHES = ["#0b6a73", "#1f56c3", "#0b6e4f", "#b3261e", "#8a4b08", "#ffffff", "#fff8e7", "#14181e"];

function Look({ draft, onChange }: Props) {
  const { forms } = useTexts();
  const isFixed = onChange === null;
  const set = (member: string, value: string | number): void => onChange?.(withStyle(draft, member, value));
  return (
    <>
      <Title order={2} mt="sm">
        {forms.look}
      </Title>
      <TextInput
        label={forms.buttonText}
        maxLength={60}
        readOnly={isFixed}
        value={styleText(draft, "buttonText")}
        onChange={(event) => set("buttonText", event.currentTarget.value)}
      />
      <Colours draft={draft} onChange={onChange} />
      <Contrast draft={draft} />
      <SimpleGrid cols={2} spacing="sm">
        <NumberInput
          label={forms.cornerRadius}
          min={0}
          max={48}
          placeholder="8"
          readOnly={isFixed}
          value={styleText(draft, "cornerRadius")}
          onChange={(value) => set("cornerRadius", value)}
        />
        <NumberInput
          label={forms.fontSize}
          min={12}
          max={32}
          placeholder="16"
          readOnly={isFixed}
          value={styleText(draft, "fontSize")}
          onChange={(value) => set("fontSize", value)}
        />
      </SimpleGrid>
      <NativeSelect
        label={forms.language}
        disabled={isFixed}
        value={styleText(draft, "language")}
        onChange={(event) => set("language", event.currentTarget.value)}
        data={[{ value: "", label: forms.asWorkspace }, ...LANGUAGE_OPTIONS]}
      />
    </>
  );
}

function Colours({ draft, onChange }: Props) {
  const { forms } = useTexts();
  const isFixed = onChange === null;
  const set = (member: string, value: string): void => onChange?.(withStyle(draft, member, value));
  return (
    <div>
      <SimpleGrid cols={2} spacing="sm">
        {COLOURS.map((colour) => {
          const value = styleText(draft, colour);
          return (
            <ColorInput
              key={colour}
              label={forms.colours[colour]}
              format="hex"
              withEyeDropper={false}
              withPreview={value !== ""}
              placeholder={forms.automatic}
              leftSection={value === "" && <IconPalette size={16} aria-hidden />}
              swatches={SWATCHES}
              readOnly={isFixed}
              value={value}
              error={value !== "" && value.startsWith("#") && !isColour(value) ? forms.badColour : null}
              onChange={(next) => set(colour, next)}
            />
          );
        })}
      </SimpleGrid>
      <p className="forms-note">{forms.colourSays}</p>
    </div>
  );
}

function Contrast({ draft }: { readonly draft: FormDraft }) {
  const { forms } = useTexts();
  const { number } = useFormat();
  const problems = contrastProblems(draft);
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" role="status">
      {problems.map(({ what, ratio }) => (
        <p key={what} className="imports-problem">
          {forms.contrast(number(Math.round(ratio * 10) / 10), forms[what])}
        </p>
      ))}
    </Alert>
  );
}
