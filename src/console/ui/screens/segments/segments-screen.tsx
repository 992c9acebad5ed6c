import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Segment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useRuleSentences } from "../../audience/choices.ts";
import type { Json } from "../../audience/rules/model.ts";
import { readRules } from "../../audience/rules/read.ts";
import { sentenceOf } from "../../audience/rules/sentence.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Every segment as a sentence, with the number of its contacts now. */
export default function SegmentsScreen() {
  const { segments } = useTexts();
  const { may } = useSession();
  const button = may("editor") && (
    <Button component={Link} href="/segments/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {segments.create}
    </Button>
  );
  const pages = usePages<Segment>(["segments", "pages"], ({ query, signal }) =>
    ok(api.GET("/api/v1/segments", { params: { query: { ...query, limit: 20 } }, signal })),
  );
  const empty = <EmptyState title={segments.empty} says={segments.emptySays} action={button} />;
  return (
    <Page title={segments.title} says={segments.says} actions={pages.items?.length !== 0 && button}>
      <Paged pages={pages} empty={empty}>
        {(all) => <SegmentTable segments={all} />}
      </Paged>
    </Page>
  );
}

function SegmentTable({ segments: all }: { readonly segments: readonly Segment[] }) {
  const { segments } = useTexts();
  const { words, naming } = useRuleSentences();
  return (
    <DataTable
      phone="rows"
      items={all}
      keyOf={({ id }) => id}
      columns={[
        {
          label: segments.name,
          cell: ({ id, name, rules }) => (
            <>
              <Link href={`/segments/${id}`}>{name}</Link>
              <p className="segments-says">{sentenceOf(readRules(rules as Json), words, naming)}</p>
            </>
          ),
        },
        { label: segments.people, kind: "number", cell: ({ id }) => <Members id={id} /> },
        {
          label: segments.changed,
          kind: "when",
          isExtra: true,
          cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
        },
      ]}
    />
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
