import type { Form } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useNameOf } from "../../audience/choices.ts";
import { useSession } from "../../frame/session/session.tsx";
import { nameColumn, whenColumn } from "../../parts/lists/columns.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { NewForm } from "./new-form.tsx";

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
        nameColumn(forms.name, (id) => `/forms/${id}`),
        { label: forms.list, kind: "long", cell: ({ listId }) => <ListName id={listId} /> },
        whenColumn(forms.changed, "updatedAt"),
      ]}
    />
  );
}

function ListName({ id }: { readonly id: string | null }) {
  const { forms } = useTexts();
  const nameOf = useNameOf("list");
  return <>{id === null ? forms.noList : (nameOf(id) ?? "…")}</>;
}
