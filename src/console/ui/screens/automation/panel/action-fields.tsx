import { Select, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useMoreLists } from "../../../audience/more-lists.ts";
import { TagInput } from "../../../audience/tag-input.tsx";
import { AS_TYPED } from "../../../parts/typing.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { useEditor } from "../editor.tsx";
import type { FieldsProps } from "./fields-props.ts";
import { textOf } from "./use-data.ts";

const SHOWN_MAX = 100;

export function TagFields({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  return (
    <TagInput
      label={panel.tag}
      isDisabled={isDisabled}
      value={textOf(data, "tag")}
      onChange={(tag) => write({ tag })}
    />
  );
}

/** The workspace's lists, and the one that the flow names even if it was deleted; more of them while somebody types. */
export function useListChoices(chosen: string) {
  const { lists, wording } = useEditor();
  const [typed, onSearchChange] = useState("");
  const more = useMoreLists(lists, { chosen: [], typed });
  const data = [...lists, ...more].map(({ id, name }) => ({ value: id, label: name }));
  const { listName, texts } = wording;
  if (chosen !== "" && !data.some(({ value }) => value === chosen))
    data.push({ value: chosen, label: listName(chosen) ?? texts.summary.gone(chosen) });
  return { data, onSearchChange, searchable: true, limit: SHOWN_MAX };
}

export function ListFields({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  const chosen = textOf(data, "listId");
  return (
    <Select
      label={panel.list}
      {...useListChoices(chosen)}
      allowDeselect={false}
      disabled={isDisabled}
      value={chosen === "" ? null : chosen}
      onChange={(listId) => write({ listId })}
    />
  );
}

const ATTRIBUTES = "attributes.";

export function SetFieldFields(props: FieldsProps) {
  const { panel } = useTexts().automations;
  const { data, write, isDisabled } = props;
  const field = textOf(data, "field");
  const isAttribute = field.startsWith(ATTRIBUTES);
  return (
    <>
      <Select
        label={panel.field}
        data={[
          { value: "firstName", label: panel.firstName },
          { value: "lastName", label: panel.lastName },
          { value: ATTRIBUTES, label: panel.attribute },
        ]}
        allowDeselect={false}
        disabled={isDisabled}
        value={isAttribute ? ATTRIBUTES : field}
        onChange={(next) => write({ field: next })}
      />
      {isAttribute && (
        <TextInput
          {...AS_TYPED}
          label={panel.attributeName}
          disabled={isDisabled}
          value={field.slice(ATTRIBUTES.length)}
          onChange={(event) => write({ field: `${ATTRIBUTES}${event.currentTarget.value}` })}
        />
      )}
      <ValueField {...props} />
    </>
  );
}

/** A text, or (in an attribute) a list of texts, which stays a list. */
function ValueField({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  const { value } = data;
  if (Array.isArray(value))
    return (
      <TagsInput
        label={panel.value}
        disabled={isDisabled}
        value={value.map(String)}
        onChange={(next) => write({ value: next })}
      />
    );
  return (
    <TextInput
      {...AS_TYPED}
      label={panel.value}
      description={panel.valueSays}
      disabled={isDisabled}
      value={typeof value === "boolean" ? String(value) : textOf(data, "value")}
      onChange={(event) => write({ value: event.currentTarget.value })}
    />
  );
}

export function WebhookFields({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  return (
    <TextInput
      type="url"
      label={panel.url}
      description={panel.urlSays}
      placeholder="https://example.com/hooks"
      disabled={isDisabled}
      value={textOf(data, "url")}
      onChange={(event) => write({ url: event.currentTarget.value })}
    />
  );
}
