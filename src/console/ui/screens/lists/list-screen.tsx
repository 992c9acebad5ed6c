import { Button, Group, Paper, Stack, Switch, Textarea, TextInput, Title } from "@mantine/core";
import { Link, useParams } from "wouter";
import type { ContactList, ListOptions } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { contactsAddress } from "../../audience/contacts-address.ts";
import { PeoplePreview } from "../../audience/people-preview.tsx";
import type { Json } from "../../audience/rules/model.ts";
import { useSharedDraft } from "../../autosave/use-shared-draft.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DeleteByName } from "../../parts/delete-by-name.tsx";
import { NotYet } from "../../parts/states/not-yet.tsx";
import { Page } from "../../parts/page.tsx";
import { Elsewhere } from "../../parts/saving/elsewhere.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** One list: its name, what readers see of it, and links to its people. */
export default function ListScreen() {
  const { id = "" } = useParams();
  return <OneList key={id} id={id} />;
}

type Content = ContactList & ListOptions;

/** What is typed is saved automatically. An empty name is not. */
function useListDraft(id: string, mayEdit: boolean) {
  const path = { params: { path: { id } } };
  return useSharedDraft<Content>({
    name: `list.${id}`,
    key: ["lists", "one", id],
    shownIn: "lists",
    mayEdit,
    async load(signal) {
      const [list, options] = await Promise.all([
        ok(api.GET("/api/v1/lists/{id}", { ...path, signal })),
        ok(api.GET("/api/v1/lists/{id}/options", { ...path, signal })),
      ]);
      return { ...list.data, ...options.data };
    },
    async save({ name = "", ...body }) {
      const isNamed = name.trim() !== "";
      const list = isNamed && (await ok(api.PATCH("/api/v1/lists/{id}", { ...path, body: { name } })));
      const hasMore = Object.keys(body).length > 0;
      const options = hasMore && (await ok(api.PATCH("/api/v1/lists/{id}/options", { ...path, body })));
      return { ...(list && list.data), ...(options && options.data) };
    },
  });
}

function OneList({ id }: { readonly id: string }) {
  const { lists } = useTexts();
  const mayEdit = useSession().may("editor");
  const shared = useListDraft(id, mayEdit);
  const { draft, saved, set, status } = shared;
  if (draft === null || saved === undefined) return <NotYet title={lists.title} {...shared} />;
  return (
    <Page
      title={draft.name.trim() || saved.name}
      beside={<SaveState {...status} />}
      back={{ href: "/lists", label: lists.title }}
      actions={!shared.isGone && <Ways list={saved} />}
    >
      <ViewOnly />
      <Elsewhere shared={shared} names={{ ...lists, public: lists.isPublic }} />
      <Stack className="lists-form">
        <TextInput
          required
          label={lists.name}
          maxLength={200}
          readOnly={!mayEdit}
          error={draft.name.trim() === "" && lists.nameMissing}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Readers content={draft} name={saved.name} onChange={mayEdit ? set : null} />
      </Stack>
      <PeoplePreview rules={onList(id)} isEmpty={false} nobody={mayEdit && <NobodyYet />} />
      {mayEdit && (
        <div className="lists-end">
          <DeleteList list={saved} />
        </div>
      )}
    </Page>
  );
}

const onList = (id: string): Json => ({ all: [{ field: "list", op: "equals", value: id }] });

/** Links to the people of a list, and to a new letter to them. */
function Ways({ list }: { readonly list: ContactList }) {
  const { lists } = useTexts();
  const { may } = useSession();
  const { quantity } = useFormat();
  return (
    <>
      {list.contactCount > 0 && (
        <Button component={Link} href={contactsAddress(onList(list.id))} variant="default">
          {lists.seePeople(quantity(list.contactCount))}
        </Button>
      )}
      {may("editor") && (
        <Button component={Link} href={`/campaigns/new?list=${list.id}`}>
          {lists.writeTo}
        </Button>
      )}
    </>
  );
}

/** The ways onto a list that has nobody. */
function NobodyYet() {
  const { contacts, forms, lists } = useTexts();
  return (
    <>
      <p className="contact-none">{lists.nobodySays}</p>
      <Group gap="xs" mt="sm">
        <Button component={Link} href="/imports/new" variant="default">
          {contacts.import}
        </Button>
        <Button component={Link} href="/contacts" variant="default">
          {contacts.title}
        </Button>
        <Button component={Link} href="/forms" variant="default">
          {forms.title}
        </Button>
      </Group>
    </>
  );
}

type ReadersProps = {
  readonly content: Content;
  readonly name: string;
  readonly onChange: ((change: Partial<Content>) => void) | null;
};

function Readers({ content, name, onChange }: ReadersProps) {
  const { lists } = useTexts();
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{lists.readers}</Title>
        <Switch
          label={lists.isPublic}
          description={lists.publicSays}
          disabled={onChange === null}
          checked={content.public}
          onChange={(event) => onChange?.({ public: event.currentTarget.checked })}
        />
        {content.public && (
          <>
            <TextInput
              label={lists.publicName}
              description={lists.publicNameSays(name)}
              readOnly={onChange === null}
              value={content.publicName}
              onChange={(event) => onChange?.({ publicName: event.currentTarget.value })}
            />
            <Textarea
              label={lists.description}
              autosize
              minRows={2}
              readOnly={onChange === null}
              value={content.description}
              onChange={(event) => onChange?.({ description: event.currentTarget.value })}
            />
          </>
        )}
      </Stack>
    </Paper>
  );
}

function DeleteList({ list: { id, name } }: { readonly list: ContactList }) {
  const { lists } = useTexts();
  return (
    <DeleteByName
      name={name}
      texts={lists}
      list="lists"
      remove={() => ok(api.DELETE("/api/v1/lists/{id}", { params: { path: { id } } }))}
    />
  );
}
