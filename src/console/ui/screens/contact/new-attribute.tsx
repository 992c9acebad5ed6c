import { Autocomplete, Button, NativeSelect, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useAttributes } from "../../api/attributes.ts";
import type { Attribute, Attributes } from "../../api/api.gen.ts";
import { isAttributeName } from "../../audience/rules/fields.ts";
import { NumberText } from "../../parts/typed/number-text.tsx";
import { useTexts } from "../../texts/texts.tsx";

export type AttributeValue = Attributes[string];

const TYPES = ["string", "number", "boolean", "list"] as const satisfies Attribute["types"];
type Type = (typeof TYPES)[number];

const EMPTY: Readonly<Record<Type, AttributeValue>> = { string: "", number: "", boolean: true, list: [] };

const isMissing = (value: AttributeValue): boolean =>
  value === "" || (typeof value === "object" && value.length === 0);

/** Something else that is known of a person. A name that others have too is of the kind that theirs is. */
export function NewAttribute({ add }: { readonly add: (name: string, value: AttributeValue) => void }) {
  const { contact: texts } = useTexts();
  const known = useAttributes();
  const [name, setName] = useState("");
  const [chosen, choose] = useState<Type | null>(null);
  const [typed, setTyped] = useState<AttributeValue | null>(null);
  const type = chosen ?? typeOfOthers(known, name);
  const value = typed !== null && fits(type, typed) ? typed : EMPTY[type];
  const isBad = name !== "" && !isAttributeName(name);
  return (
    <form
      className="contact-new"
      aria-label={texts.addAttribute}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAttributeName(name) || isMissing(value)) return;
        add(name, value);
        setName("");
        choose(null);
        setTyped(null);
      }}
    >
      <Autocomplete
        label={texts.attributeName}
        data={known.map((each) => each.name)}
        value={name}
        onChange={setName}
        error={isBad ? texts.attributeNameSays : null}
      />
      <NativeSelect
        label={texts.attributeType}
        value={type}
        onChange={(event) => choose(event.currentTarget.value as Type)}
        data={TYPES.map((each) => ({ value: each, label: texts.attributeTypes[each] }))}
      />
      <NewValue type={type} value={value} onChange={setTyped} />
      <Button type="submit" variant="default" disabled={!isAttributeName(name) || isMissing(value)}>
        {texts.addIt}
      </Button>
    </form>
  );
}

/** Where others have it as several types, nobody can know which is meant: text. */
const typeOfOthers = (known: readonly Attribute[], name: string): Type => {
  const [type, ...more] = known.find((each) => each.name === name)?.types ?? [];
  return type !== undefined && more.length === 0 ? type : "string";
};

function fits(type: Type, value: AttributeValue): boolean {
  if (type === "list") return typeof value === "object";
  return value === "" || typeof value === type;
}

type ValueProps = {
  readonly type: Type;
  readonly value: AttributeValue;
  readonly onChange: (value: AttributeValue) => void;
};

function NewValue({ type, value, onChange }: ValueProps) {
  const { contact: texts } = useTexts();
  const label = texts.attributeValue;
  if (type === "number")
    return (
      <NumberText
        label={label}
        value={typeof value === "number" ? value : null}
        onChange={(next) => onChange(next ?? "")}
      />
    );
  if (type === "boolean")
    return (
      <NativeSelect
        label={label}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value === "true")}
        data={[
          { value: "true", label: texts.yes },
          { value: "false", label: texts.no },
        ]}
      />
    );
  if (type === "list")
    return (
      <TagsInput label={label} value={typeof value === "object" ? [...value] : []} onChange={onChange} />
    );
  return (
    <TextInput
      label={label}
      maxLength={1000}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
