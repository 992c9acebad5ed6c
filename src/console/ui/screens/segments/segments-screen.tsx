import { Button, Table } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Segment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useRuleSentences } from "../../audience/choices.ts";
import type { Json } from "../../audience/rules/model.ts";
import { readRules } from "../../audience/rules/read.ts";
import { sentenceOf } from "../../audience/rules/sentence.ts";
import { useSession } from "../../frame/session.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Page } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Every segment, read back as a sentence, with how many are in it now. */
export default function SegmentsScreen() {
  const { segments } = useTexts();
  const { may } = useSession();
  const button = (
    <Button component={Link} href="/segments/new">
      {segments.create}
    </Button>
  );
  const query = useInfiniteQuery({
    queryKey: ["segments", "pages"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      ok(
        api.GET("/api/v1/segments", {
          params: { query: { limit: 20, ...(pageParam === "" ? {} : { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });
  const all = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Page title={segments.title} says={segments.says} {...(may("editor") ? { actions: button } : {})}>
      {query.error && <LoadError error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {all?.length === 0 && (
        <EmptyState
          title={segments.empty}
          says={segments.emptySays}
          {...(may("editor") ? { action: button } : {})}
        />
      )}
      {all !== undefined && all.length > 0 && <SegmentTable segments={all} />}
      {query.hasNextPage && (
        <Button variant="default" mt="md" onClick={() => void query.fetchNextPage()}>
          {segments.more}
        </Button>
      )}
    </Page>
  );
}

function SegmentTable({ segments: all }: { readonly segments: readonly Segment[] }) {
  const { segments } = useTexts();
  const { words, naming } = useRuleSentences();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{segments.name}</Table.Th>
          <Table.Th ta="right">{segments.people}</Table.Th>
          <Table.Th className="lists-when">{segments.changed}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {all.map(({ id, name, rules, updatedAt }) => (
          <Table.Tr key={id}>
            <Table.Td className="lists-name">
              <Link href={`/segments/${id}`}>{name}</Link>
              <p className="segments-says">{sentenceOf(readRules(rules as Json), words, naming)}</p>
            </Table.Td>
            <Table.Td ta="right">
              <Members id={id} />
            </Table.Td>
            <Table.Td className="lists-when">
              <RelativeTime at={updatedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Members({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ["segments", "count", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/segments/{id}/count", { params: { path: { id } }, signal })).then(
        (answer) => answer.data,
      ),
  });
  return data === undefined ? <>…</> : <Count value={data.total} />;
}
