import { Alert, Button, Group, Paper, Stack, Switch, Textarea, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import type { List, ListOptions } from "../../api/api.gen.ts";
import { ApiError, api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session.tsx";
import { DeleteByName } from "../../parts/delete-by-name.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { NotFound } from "../../parts/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** One list: its name, what readers see of it, and the way to its people. */
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

function useSaving(id: string) {
  const queries = useQueryClient();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const saving = useMutation({
    mutationFn: async ({ name, ...options }: Content) => {
      const params = { path: { id } };
      await ok(api.PATCH("/api/v1/lists/{id}", { params, body: { name } }));
      await ok(api.PATCH("/api/v1/lists/{id}/options", { params, body: options }));
    },
    onSuccess: async () => {
      setSavedAt(new Date());
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
  });
  return { saving, savedAt };
}

function OneList({ list, options }: { readonly list: List; readonly options: ListOptions }) {
  const { lists } = useTexts();
  const { may } = useSession();
  const { quantity } = useFormat();
  const [content, setContent] = useState<Content>({ name: list.name, ...options });
  const { saving, savedAt } = useSaving(list.id);
  const rules = JSON.stringify({ all: [{ field: "list", op: "equals", value: list.id }] });
  const mayEdit = may("editor");
  return (
    <Page
      title={list.name}
      back={{ href: "/lists", label: lists.title }}
      actions={
        <>
          <SaveState isSaving={saving.isPending} error={null} savedAt={savedAt} />
          <Button component={Link} href={`/contacts?rules=${encodeURIComponent(rules)}`} variant="default">
            {lists.seePeople(quantity(list.contactCount))}
          </Button>
          {mayEdit && (
            <Button component={Link} href={`/campaigns/new?list=${list.id}`} variant="default">
              {lists.writeTo}
            </Button>
          )}
        </>
      }
    >
      <form
        className="lists-form"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(content);
        }}
      >
        <Stack>
          <TextInput
            required
            label={lists.name}
            readOnly={!mayEdit}
            value={content.name}
            onChange={(event) => setContent({ ...content, name: event.currentTarget.value })}
          />
          <Readers content={content} name={list.name} onChange={mayEdit ? setContent : null} />
          {saving.error && (
            <Alert color="red" role="alert">
              {saving.error.message}
            </Alert>
          )}
          {mayEdit && (
            <Group>
              <Button type="submit" loading={saving.isPending}>
                {lists.save}
              </Button>
              <DeleteList list={list} />
            </Group>
          )}
        </Stack>
      </form>
    </Page>
  );
}

type ReadersProps = {
  readonly content: Content;
  readonly name: string;
  readonly onChange: ((content: Content) => void) | null;
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
          onChange={(event) => onChange?.({ ...content, public: event.currentTarget.checked })}
        />
        {content.public && (
          <>
            <TextInput
              label={lists.publicName}
              description={lists.publicNameSays(name)}
              readOnly={onChange === null}
              value={content.publicName}
              onChange={(event) => onChange?.({ ...content, publicName: event.currentTarget.value })}
            />
            <Textarea
              label={lists.description}
              autosize
              minRows={2}
              readOnly={onChange === null}
              value={content.description}
              onChange={(event) => onChange?.({ ...content, description: event.currentTarget.value })}
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
