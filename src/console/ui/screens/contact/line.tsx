import { TextInput } from "@mantine/core";
import { useTypedField } from "../../autosave/use-typed-field.ts";
import { Meanwhile } from "../../parts/saving/meanwhile.tsx";
import { isComposing } from "../../parts/typing.ts";

type Props = {
  readonly contactId: string;
  /** Of the contact's field, on this device. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** @returns what is stored then */
  readonly save: ((value: string) => Promise<string>) | null;
  readonly isNeeded?: boolean;
  readonly error?: string | null;
};

/** A field that is saved when somebody leaves it or presses Enter; Escape discards what was typed. */
export function Line({ contactId, name, label, value, save, isNeeded = false, error = null }: Props) {
  const field = useTypedField(
    {
      name: save && `contact.${contactId}.${name}`,
      stored: value,
      // As the server stores it: otherwise its own answer looks like somebody else's change.
      written: (text) => (isNeeded && text.trim() === "" ? null : text.trim()),
      save: (text) => save?.(text) ?? Promise.resolve(value),
    },
    ["contacts", "one", contactId],
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
