import { TextInput } from "@mantine/core";
import type { Contact } from "../../api/api.gen.ts";
import { useTypedField } from "../../autosave/use-typed-field.ts";
import { Meanwhile } from "../../parts/saving/meanwhile.tsx";
import { isComposing } from "../../parts/typing.ts";

type Props = {
  readonly contact: Contact;
  /** Of the contact's field, on this device. */
  readonly name: string;
  readonly label: string;
  /** What a contact has there. */
  readonly valueOf: (contact: Contact) => string;
  /** @returns what is stored then */
  readonly save: ((value: string) => Promise<string>) | null;
  readonly isNeeded?: boolean;
  readonly error?: string | null;
};

/** A field that is saved when somebody leaves it or presses Enter; Escape discards what was typed. */
export function Line({ contact, name, label, valueOf, save, isNeeded = false, error = null }: Props) {
  const value = valueOf(contact);
  const field = useTypedField(
    {
      name: save && `contact.${contact.id}.${name}`,
      stored: value,
      // As the server stores it: otherwise its own answer looks like somebody else's change.
      written: (text) => (isNeeded && text.trim() === "" ? null : text.trim()),
      save: (text) => save?.(text) ?? Promise.resolve(value),
    },
    { queryKey: ["contacts", "one", contact.id], storedIn: valueOf },
  );
  return (
    <div>
      <TextInput
        label={label}
        value={field.shown}
        readOnly={save === null}
        error={error}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={field.leave}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") field.discard();
        }}
      />
      <Meanwhile of={field} />
    </div>
  );
}
