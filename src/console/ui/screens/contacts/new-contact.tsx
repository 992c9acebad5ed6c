import { Alert, Button, Group, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ChangeEvent, type RefObject } from "react";
import { Link, useLocation } from "wouter";
import type { Contact, ContactCreate, ContactStatus } from "../../api/api.gen.ts";
import { ApiError, api, ok } from "../../api/client.ts";
import { useChoices } from "../../audience/choices.ts";
import { ListPicker } from "../../audience/list-picker.tsx";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Adds one person, with what they agreed to. */
export function NewContact({ opened, onClose }: Props) {
  const { contacts } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={contacts.add}>
      <Fields />
    </Modal>
  );
}

type Person = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status: ContactStatus;
};

const NOBODY: Person = { email: "", firstName: "", lastName: "", status: "SUBSCRIBED" };

function Fields() {
  const { contacts } = useTexts();
  const [, navigate] = useLocation();
  const [person, setPerson] = useState(NOBODY);
  const [listId, setListId] = useListChoice();
  const [added, setAdded] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const adding = useAdding();
  const add = (isLast: boolean): void =>
    adding.mutate(
      { person, listId },
      {
        onSuccess: ({ contact, isNew }) => {
          if (!isNew) return setAdded(null);
          if (isLast) return navigate(`/contacts/${contact.id}`);
          setAdded(contact.email);
          setPerson({ ...NOBODY, status: person.status });
          first.current?.focus();
        },
      },
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add(true);
      }}
    >
      <Stack>
        <PersonFields person={person} set={setPerson} first={first} />
        <ListField listId={listId} set={setListId} />
        {adding.data?.isNew === false && <IsThere {...adding.data.contact} />}
        {adding.error && (
          <Alert color="red" role="alert">
            {adding.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <p className="contact-added" role="status">
            {added !== null && contacts.wasAdded(added)}
          </p>
          <Button
            variant="default"
            disabled={adding.isPending}
            onClick={(event) => event.currentTarget.form?.reportValidity() && add(false)}
          >
            {contacts.createAnother}
          </Button>
          <Button type="submit" loading={adding.isPending}>
            {contacts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function IsThere({ id, email }: Added) {
  const { contacts } = useTexts();
  return (
    <Alert color="yellow" role="alert">
      {contacts.isThere(email)} <Link href={`/contacts/${id}`}>{contacts.open(email)}</Link>
    </Alert>
  );
}

type PersonProps = {
  readonly person: Person;
  readonly first: RefObject<HTMLInputElement | null>;
  set(person: Person): void;
};

function PersonFields({ person, set, first }: PersonProps) {
  const { contacts } = useTexts();
  const field = (name: "email" | "firstName" | "lastName") => ({
    label: contacts[name],
    value: person[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => set({ ...person, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <TextInput {...field("email")} ref={first} type="email" required data-autofocus autoComplete="off" />
      <Group grow>
        <TextInput {...field("firstName")} />
        <TextInput {...field("lastName")} />
      </Group>
      <NativeSelect
        label={contacts.agreed}
        value={person.status}
        onChange={(event) => set({ ...person, status: event.currentTarget.value as ContactStatus })}
        data={(["SUBSCRIBED", "PENDING"] as const).map((status) => ({
          value: status,
          label: contacts.agreements[status],
        }))}
      />
    </>
  );
}

/** If there is only one list, it is selected from the start. */
function useListChoice() {
  const [only, ...others] = useChoices("list");
  const [chosen, choose] = useState<string | null>(null);
  return [chosen ?? (others.length === 0 ? (only?.id ?? "") : ""), choose] as const;
}

function ListField({ listId, set }: { readonly listId: string; readonly set: (id: string) => void }) {
  const { contacts } = useTexts();
  const lists = useChoices("list");
  return (
    lists.length > 0 && (
      <ListPicker
        label={contacts.list}
        lists={lists}
        value={listId}
        onChange={set}
        none={contacts.onNoList}
      />
    )
  );
}

/** Adding somebody who is there would empty their tags and may subscribe them: their own page is the place for that. */
async function whoIsThere(email: string): Promise<Contact | undefined> {
  const { data } = await ok(
    api.POST("/api/v1/contacts/search", {
      params: { query: { limit: 1 } },
      body: { rules: { field: "email", op: "equals", value: asKept(email) } },
    }),
  );
  return data[0];
}

/** An address as the server keeps it; the host in its ASCII form. */
function asKept(typed: string): string {
  const address = typed.trim().toLowerCase();
  const host = address.slice(address.lastIndexOf("@") + 1);
  const url = `http://${host}`;
  return URL.canParse(url) ? address.slice(0, -host.length) + new URL(url).hostname : address;
}

/** One request for both, so that nobody is added without the list that was asked for. */
async function addToList(body: ContactCreate, listId: string): Promise<string> {
  const { data } = await ok(api.POST("/api/v1/contacts/bulk", { body: { contacts: [body], listId } }));
  const [result] = data.results;
  if (!result?.id) throw new ApiError(422, result?.error?.code ?? "", result?.error?.message ?? "");
  return result.id;
}

type Adding = { readonly person: Person; readonly listId: string };
type Added = Pick<Contact, "id" | "email">;

function useAdding() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ person, listId }: Adding): Promise<{ contact: Added; isNew: boolean }> => {
      const known = await whoIsThere(person.email);
      if (known !== undefined) return { contact: known, isNew: false };
      if (listId === "")
        return { contact: (await ok(api.POST("/api/v1/contacts", { body: person }))).data, isNew: true };
      return { contact: { id: await addToList(person, listId), email: person.email }, isNew: true };
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["contacts"] }),
        queries.invalidateQueries({ queryKey: ["lists"] }),
      ]),
  });
}
