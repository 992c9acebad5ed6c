import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import type { Form } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useChoices, useNameOf } from "../../audience/choices.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Every sign-up form. */
export default function FormsScreen() {
  const { forms } = useTexts();
  const { may } = useSession();
  const pages = usePages<Form>(["forms", "pages"], ({ query, signal }) =>
    ok(api.GET("/api/v1/forms", { params: { query: { ...query, limit: 50 } }, signal })),
  );
  const button = may("editor") && <NewForm />;
  const empty = <EmptyState title={forms.empty} says={forms.emptySays} action={button} />;
  return (
    <Page title={forms.title} says={forms.says} actions={pages.items?.length !== 0 && button}>
      <Paged pages={pages} empty={empty}>
        {(all) => <FormTable forms={all} />}
      </Paged>
    </Page>
  );
}

function FormTable({ forms: all }: { readonly forms: readonly Form[] }) {
  const { forms } = useTexts();
  return (
    <DataTable
      phone="rows"
      items={all}
      keyOf={({ id }) => id}
      columns={[
        {
          label: forms.name,
          kind: "long",
          cell: ({ id, name }) => <Link href={`/forms/${id}`}>{name}</Link>,
        },
        { label: forms.list, kind: "long", cell: ({ listId }) => <ListName id={listId} /> },
        {
          label: forms.changed,
          kind: "when",
          isExtra: true,
          cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
        },
      ]}
    />
  );
}

function ListName({ id }: { readonly id: string | null }) {
  const { forms } = useTexts();
  const nameOf = useNameOf("list");
  return <>{id === null ? forms.noList : (nameOf(id) ?? "…")}</>;
}

/** Makes a form that works at once. Everything about it can be changed on its own page. */
function NewForm() {
  const { forms } = useTexts();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const lists = useChoices("list");
  const creating = useMutation({
    mutationFn: () =>
      ok(api.POST("/api/v1/forms", { body: { name: forms.title, listId: lists[0]?.id ?? null } })),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ["forms"] });
      navigate(`/forms/${data.id}`);
    },
  });
  return (
    <>
      {creating.error && <LoadError error={creating.error} />}
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        loading={creating.isPending}
        onClick={() => creating.mutate()}
      >
        {forms.create}
      </Button>
    </>
  );
}
