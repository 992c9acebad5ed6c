import { Button, Table } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import type { Template } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Letters that are written once and used again, the newest first. */
export default function TemplatesScreen() {
  const { templates } = useTexts();
  const pages = usePages<Template>(["templates", "list"], ({ query, signal }) =>
    ok(api.GET("/api/v1/templates", { params: { query: { ...query, limit: 50 } }, signal })),
  );
  const empty = <EmptyState title={templates.none} says={templates.noneSays} action={<NewButton />} />;
  return (
    <Page title={templates.title} actions={pages.items?.length !== 0 && <NewButton />}>
      <Paged pages={pages} empty={empty}>
        {(all) => <Rows templates={all} />}
      </Paged>
    </Page>
  );
}

function NewButton() {
  const { templates } = useTexts();
  if (!useSession().may("editor")) return null;
  return (
    <Button component={Link} href="/templates/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {templates.new}
    </Button>
  );
}

function Rows({ templates }: { readonly templates: readonly Template[] }) {
  const { templates: texts, letter } = useTexts();
  const { columns } = texts;
  return (
    <Table className="templates-table" verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.format}</Table.Th>
          <Table.Th>{columns.changed}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {templates.map(({ id, name, subject, format, updatedAt }) => (
          <Table.Tr key={id}>
            <Table.Td className="campaigns-name">
              <Link href={`/templates/${encodeURIComponent(id)}`}>{name}</Link>
              {subject !== name && <p>{subject}</p>}
            </Table.Td>
            <Table.Td>{letter.formats[format]}</Table.Td>
            <Table.Td>
              <RelativeTime at={updatedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
