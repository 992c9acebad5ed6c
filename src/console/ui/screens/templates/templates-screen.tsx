import { Link } from "wouter";
import type { Template } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { whenColumn } from "../../parts/lists/columns.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { NewLink } from "../../parts/lists/new-link.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Letters that are written once and used again, newest first. */
export default function TemplatesScreen() {
  const { templates } = useTexts();
  const pages = usePages<Template>(["templates", "list"], ({ query, signal }) =>
    ok(api.GET("/api/v1/templates", { params: { query: { ...query, limit: 50 } }, signal })),
  );
  const button = <NewLink href="/templates/new" label={templates.new} />;
  const empty = <EmptyState title={templates.none} says={templates.noneSays} action={button} />;
  return (
    <Page title={templates.title} actions={pages.items?.length !== 0 && button}>
      <Paged pages={pages} empty={empty}>
        {(all) => <Rows templates={all} />}
      </Paged>
    </Page>
  );
}

function Rows({ templates: all }: { readonly templates: readonly Template[] }) {
  const { templates, letter } = useTexts();
  const { columns } = templates;
  return (
    <DataTable
      items={all}
      keyOf={({ id }) => id}
      columns={[
        {
          label: columns.name,
          kind: "long",
          cell: ({ id, name, subject }) => (
            <>
              <Link href={`/templates/${encodeURIComponent(id)}`}>{name}</Link>
              {subject !== name && <p className="data-table-says">{subject}</p>}
            </>
          ),
        },
        { label: columns.format, cell: ({ format }) => letter.formats[format] },
        whenColumn(columns.changed, "updatedAt"),
      ]}
    />
  );
}
