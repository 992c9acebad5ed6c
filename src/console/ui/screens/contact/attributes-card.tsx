import { ActionIcon, NativeSelect, Paper, Stack, TagsInput, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Contact } from "../../api/api.gen.ts";
import { useUndo } from "../../parts/saving/undo.tsx";
import { readNumber, writeNumber } from "../../parts/typed/typed-number.ts";
import { useTexts } from "../../texts/texts.tsx";
import { NewAttribute, type AttributeValue as Value } from "./new-attribute.tsx";
import type { KeepList, SaveContact } from "./save-contact.ts";
import { Line } from "./person-card.tsx";
import { useWanted } from "./wanted.ts";

type Props = {
  readonly contact: Contact;
  readonly save: SaveContact | null;
  readonly keepList: KeepList | null;
};

/** The attributes of a contact, each with its type, edited in place. */
export function AttributesCard({ contact, save, keepList }: Props) {
  const { contact: texts } = useTexts();
  const undo = useUndo();
  const attributes = Object.entries(contact.attributes ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const set = save && ((name: string, value: Value | null) => save({ attributes: { [name]: value } }));
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{texts.attributes}</Title>
        {attributes.length === 0 && <p className="contact-none">{texts.noAttributes}</p>}
        {attributes.map(([name, value]) => (
          <div className="contact-attribute" key={name}>
            <OneValue
              name={name}
              value={value}
              save={set && ((next) => set(name, next))}
              keepList={keepList}
            />
            {set && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={texts.removeAttribute(name)}
                onClick={() => {
                  set(name, null);
                  undo(texts.attributeRemoved(name), () => set(name, value));
                }}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
        {set && <NewAttribute add={set} />}
      </Stack>
    </Paper>
  );
}

type OneProps = {
  readonly name: string;
  readonly value: Value;
  readonly save: ((value: Value) => void) | null;
  readonly keepList: KeepList | null;
};

function OneValue({ name, value, save, keepList }: OneProps) {
  const { contact: texts } = useTexts();
  const [isBad, setBad] = useState(false);
  if (typeof value === "boolean")
    return (
      <NativeSelect
        label={name}
        value={String(value)}
        disabled={save === null}
        onChange={(event) => save?.(event.currentTarget.value === "true")}
        data={[
          { value: "true", label: texts.yes },
          { value: "false", label: texts.no },
        ]}
      />
    );
  if (typeof value === "object") return <ListValue name={name} value={value} keepList={keepList} />;
  if (typeof value === "string") return <Line label={name} value={value} save={save} />;
  return (
    <Line
      label={name}
      value={writeNumber(value)}
      error={isBad ? texts.noNumber : null}
      save={
        save &&
        ((text) => {
          const number = readNumber(text);
          setBad(number === null);
          if (number !== null) save(number);
        })
      }
    />
  );
}

type ListProps = Pick<OneProps, "name" | "keepList"> & { readonly value: readonly string[] };

function ListValue({ name, value, keepList }: ListProps) {
  const { wanted, change } = useWanted(value, keepList && ((_before, after) => keepList(name, after)));
  return <TagsInput label={name} value={[...wanted]} readOnly={keepList === null} onChange={change} />;
}
