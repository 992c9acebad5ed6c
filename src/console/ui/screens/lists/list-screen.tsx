import { Button, Paper, Stack, Switch, Textarea, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Link, useParams } from "wouter";
import type { List, ListOptions } from "../../api/api.gen.ts";
import { ApiError, api, ok } from "../../api/client.ts";
import { PeoplePreview } from "../../audience/people-preview.tsx";
import type { Json } from "../../audience/rules/model.ts";
import { useAutosave } from "../../autosave/use-autosave.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DeleteByName } from "../../parts/delete-by-name.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** One list: its name, what readers see of it, and links to its people. */
export default function ListScreen() {
  const { id = "" } = useParams();
  const { lists } = useTexts();
  const query = useQuery({
    queryKey: ["lists", "one", id],
    queryFn: async ({ signal }) => {
      const path = { path: { id } };
      const [list, options] = await Promise.all([
        ok(api.GET("/api/v1/lists/{id}", { params: path, signal })),
        ok(api.GET("/api/v1/lists/{id}/options", { params: path, signal })),
      ]);
      return { list: list.data, options: options.data };
    },
  });
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  if (query.error) return <LoadError error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <Page title={lists.title}>
        <Loading />
      </Page>
    );
  return <OneList key={id} {...query.data} />;
}

type Content = Pick<List, "name"> & ListOptions;

/** What is typed is saved automatically. An empty name is not. */
function useListDraft({ id }: List, saved: Content, mayEdit: boolean) {
  const queries = useQueryClient();
  const save = useCallback(
    async ({ name = "", ...options }: Partial<Content>): Promise<void> => {
      const params = { path: { id } };
      if (name.trim() !== "") await ok(api.PATCH("/api/v1/lists/{id}", { params, body: { name } }));
      if (Object.keys(options).length > 0)
        await ok(api.PATCH("/api/v1/lists/{id}/options", { params, body: options }));
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
    [id, queries],
  );
  const { saver, status } = useAutosave<Content>(`list.${id}`, save);
  const [changes, setChanges] = useState<Partial<Content>>(() => (mayEdit ? saver.unsaved() : {}));
  const change = (next: Partial<Content>): void => {
    setChanges((before) => ({ ...before, ...next }));
    saver.change(next);
  };
  return { content: { ...saved, ...changes }, change, status };
}

type OneProps = { readonly list: List; readonly options: ListOptions };

function OneList({ list, options }: OneProps) {
  const { lists } = useTexts();
  const { may } = useSession();
  const mayEdit = may("editor");
  const { content, change, status } = useListDraft(list, { name: list.name, ...options }, mayEdit);
  return (
    <Page
      title={content.name.trim() || list.name}
      beside={<SaveState isSaving={status.isSaving} error={status.error} savedAt={status.savedAt} />}
      back={{ href: "/lists", label: lists.title }}
      actions={<Ways list={list} />}
    >
      <Stack className="lists-form">
        <TextInput
          required
          label={lists.name}
          maxLength={200}
          readOnly={!mayEdit}
          error={content.name.trim() === "" && lists.nameMissing}
          value={content.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Readers content={content} name={list.name} onChange={mayEdit ? change : null} />
      </Stack>
      <PeoplePreview rules={onList(list.id)} isEmpty={false} />
      {mayEdit && (
        <div className="lists-end">
          <DeleteList list={list} />
        </div>
      )}
    </Page>
  );
}

const onList = (id: string): Json => ({ all: [{ field: "list", op: "equals", value: id }] });

/** Links to the people of a list, and to a new letter to them. */
function Ways({ list }: Pick<OneProps, "list">) {
  const { lists } = useTexts();
  const { may } = useSession();
  const { quantity } = useFormat();
  const rules = encodeURIComponent(JSON.stringify(onList(list.id)));
  return (
    <>
      <Button component={Link} href={`/contacts?rules=${rules}`} variant="default">
        {lists.seePeople(quantity(list.contactCount))}
      </Button>
      {may("editor") && (
        <Button component={Link} href={`/campaigns/new?list=${list.id}`}>
          {lists.writeTo}
        </Button>
      )}
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

function DeleteList({ list: { id, name } }: { readonly list: List }) {
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
