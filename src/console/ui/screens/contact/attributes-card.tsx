import { ActionIcon, NativeSelect, Paper, Stack, TagsInput, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Contact } from "../../api/api.gen.ts";
import { useUndo } from "../../parts/saving/undo.tsx";
import { readNumber, writeNumber } from "../../parts/typed/typed-number.ts";
import { useTexts } from "../../texts/texts.tsx";
import { NewAttribute, type AttributeValue as Value } from "./new-attribute.tsx";
import { Line } from "./line.tsx";
import type { KeepList, SaveContact } from "./save-contact.ts";
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
  // Why it failed stands at the top of the page.
  const set =
    save &&
    ((name: string, value: Value | null) =>
      void save({ attributes: { [name]: value } }).then(nothing, nothing));
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{texts.attributes}</Title>
        {attributes.length === 0 && <p className="contact-none">{texts.noAttributes}</p>}
        {attributes.map(([name, value]) => (
          <div className="contact-attribute" key={name}>
            <OneValue
              contact={contact}
              name={name}
              value={value}
              save={
                save && (async (next) => (await save({ attributes: { [name]: next } })).attributes?.[name])
              }
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

const nothing = (): void => {};

type OneProps = {
  readonly contact: Contact;
  readonly name: string;
  readonly value: Value;
  /** @returns what they have then */
  readonly save: ((value: Value) => Promise<Value | undefined>) | null;
  readonly keepList: KeepList | null;
};

/** As a field has it. */
const written = (value: Value | undefined): string =>
  typeof value === "number" ? writeNumber(value) : String(value ?? "");

function OneValue({ contact, name, value, save, keepList }: OneProps) {
  const { contact: texts } = useTexts();
  const [isBad, setBad] = useState(false);
  if (typeof value === "boolean")
    return (
      <NativeSelect
        label={name}
        value={String(value)}
        disabled={save === null}
        onChange={(event) => void save?.(event.currentTarget.value === "true").then(nothing, nothing)}
        data={[
          { value: "true", label: texts.yes },
          { value: "false", label: texts.no },
        ]}
      />
    );
  if (typeof value === "object") return <ListValue name={name} value={value} keepList={keepList} />;
  const line = {
    contact,
    name: `attributes.${name}`,
    label: name,
    valueOf: ({ attributes }: Contact) => written(attributes?.[name]),
  };
  if (typeof value === "string")
    return <Line {...line} save={save && (async (text) => written(await save(text)))} />;
  return (
    <Line
      {...line}
      error={isBad ? texts.noNumber : null}
      save={
        save &&
        (async (text) => {
          const number = readNumber(text);
          setBad(number === null);
          if (number === null) throw new Error(texts.noNumber);
          return written(await save(number));
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
