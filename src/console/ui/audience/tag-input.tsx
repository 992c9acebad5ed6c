import { Autocomplete, TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../api/client.ts";

/** The server is asked when somebody pauses. */
const PAUSE_MS = 200;

const NONE: readonly string[] = [];

/** Tags that contacts have, with this text in them, the most used first. */
function useTags(text: string): readonly string[] {
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data } = useQuery<readonly string[]>({
    queryKey: ["contacts", "tags", q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/tags", { params: { query: { q } }, signal })).then(({ data: tags }) =>
        tags.map(({ tag }) => tag),
      ),
  });
  return data ?? NONE;
}

type OneProps = {
  readonly label: string;
  /** The label is for screen readers alone: what stands before it says it. */
  readonly isLabelHidden?: boolean;
  /** The first field of a dialog: what one has come for. */
  readonly isFirst?: boolean;
  readonly isDisabled?: boolean;
  readonly value: string;
  readonly onChange: (tag: string) => void;
};

/** One tag: one that is in use, or a new one. */
export function TagInput({ label, isLabelHidden, isFirst, isDisabled = false, value, onChange }: OneProps) {
  const known = useTags(value);
  return (
    <Autocomplete
      {...(isFirst ? { "data-autofocus": true } : {})}
      {...(isLabelHidden ? { "aria-label": label } : { label })}
      disabled={isDisabled}
      maxLength={100}
      // Who has typed a whole tag needs no menu, and it would cover the button below.
      data={known.includes(value) ? [] : [...known]}
      value={value}
      onChange={onChange}
    />
  );
}

type ManyProps = {
  readonly label: string;
  readonly description: string;
  readonly value: readonly string[];
  /** Null: the person may only look. */
  readonly onChange: ((tags: string[]) => void) | null;
};

/** The tags of one person. */
export function ManyTags({ value, onChange, description, ...named }: ManyProps) {
  const [text, setText] = useState("");
  const known = useTags(text);
  return (
    <TagsInput
      {...named}
      {...(onChange === null ? { readOnly: true } : { description, onChange })}
      value={[...value]}
      data={onChange === null ? [] : [...known]}
      searchValue={text}
      onSearchChange={setText}
      maxTags={50}
    />
  );
}
