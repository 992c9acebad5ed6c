import { Button, Table } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Template } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSession } from "../../frame/session.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Letters that are written once and used again, the newest first. */
export default function TemplatesScreen() {
  const { templates, campaigns } = useTexts();
  const found = useInfiniteQuery({
    queryKey: ["templates", "list"],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) };
      return ok(api.GET("/api/v1/templates", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });
  const all = found.data?.pages.flatMap(({ data }) => data);
  return (
    <Page title={templates.title} actions={all?.length !== 0 && <NewButton />}>
      {found.error && <LoadError error={found.error} retry={() => void found.refetch()} />}
      {all === undefined && !found.error && <Loading />}
      {all?.length === 0 && (
        <EmptyState title={templates.none} says={templates.noneSays} action={<NewButton />} />
      )}
      {all !== undefined && all.length > 0 && <Rows templates={all} />}
      {found.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {campaigns.more}
        </Button>
      )}
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
