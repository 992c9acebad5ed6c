import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { isolated } from "../../texts/isolated.ts";
import { useTexts } from "../../texts/texts.tsx";

export type Person = { readonly id: string; readonly label: string };

type Props = {
  readonly label: string;
  readonly person: Person | null;
  readonly onChange: (person: Person | null) => void;
};

/** Chooses for whom a letter is filled in: a contact, found by name or address, or an example person. */
export function ContactPicker({ label, person, onChange }: Props) {
  const { letter } = useTexts();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 250);
  const found = useQuery({
    queryKey: ["contacts", "picker", q],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/contacts", { params: { query: { limit: 8, ...(q === "" ? {} : { q }) } }, signal }),
      ).then(({ data }) => data),
  });
  const people = (found.data ?? []).map(({ id, email, firstName, lastName }) => {
    const name = [firstName, lastName].filter(Boolean).join(" ");
    return { value: id, label: name === "" ? email : `${isolated(name)} <${email}>` };
  });
  const isListed = person === null || people.some(({ value }) => value === person.id);
  return (
    <Select
      size="xs"
      label={label}
      placeholder={letter.example}
      searchable
      clearable
      data={isListed ? people : [{ value: person.id, label: person.label }, ...people]}
      value={person?.id ?? null}
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === person?.label ? "" : text)}
      onChange={(id, option) => onChange(id === null || option === null ? null : { id, label: option.label })}
    />
  );
}
