import { Button, Table } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, ok } from "../../api/client.ts";
import { useChoices } from "../../audience/choices.ts";
import { useSession } from "../../frame/session.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Every sign-up form. */
export default function FormsScreen() {
  const { forms } = useTexts();
  const { may } = useSession();
  const query = useInfiniteQuery({
    queryKey: ["forms", "pages"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      ok(
        api.GET("/api/v1/forms", {
          params: { query: { limit: 50, ...(pageParam === "" ? {} : { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });
  const all = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Page title={forms.title} says={forms.says} {...(may("editor") ? { actions: <NewForm /> } : {})}>
      {query.error && <LoadError error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {all?.length === 0 && <EmptyState title={forms.empty} says={forms.emptySays} />}
      {all !== undefined && all.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{forms.name}</Table.Th>
              <Table.Th>{forms.list}</Table.Th>
              <Table.Th className="lists-when">{forms.changed}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {all.map(({ id, name, listId, updatedAt }) => (
              <Table.Tr key={id}>
                <Table.Td className="lists-name">
                  <Link href={`/forms/${id}`}>{name}</Link>
                </Table.Td>
                <Table.Td className="lists-name">
                  <ListName id={listId} />
                </Table.Td>
                <Table.Td className="lists-when">
                  <RelativeTime at={updatedAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {query.hasNextPage && (
        <Button variant="default" mt="md" onClick={() => void query.fetchNextPage()}>
          {forms.more}
        </Button>
      )}
    </Page>
  );
}

function ListName({ id }: { readonly id: string | null }) {
  const { forms } = useTexts();
  const lists = useChoices("list");
  return <>{id === null ? forms.noList : (lists.find((list) => list.id === id)?.name ?? "…")}</>;
}

/** Makes a form that works at once; everything about it is changed on its own page. */
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
      <Button loading={creating.isPending} onClick={() => creating.mutate()}>
        {forms.create}
      </Button>
    </>
  );
}
