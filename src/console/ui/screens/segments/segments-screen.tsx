import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Segment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useRuleSentences } from "../../audience/choices.ts";
import type { Json } from "../../audience/rules/model.ts";
import { readRules } from "../../audience/rules/read.ts";
import { sentenceOf } from "../../audience/rules/sentence.ts";
import { whenColumn } from "../../parts/lists/columns.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { NewLink } from "../../parts/lists/new-link.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Every segment as a sentence, with the number of its contacts now. */
export default function SegmentsScreen() {
  const { segments } = useTexts();
  const button = <NewLink href="/segments/new" label={segments.create} />;
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
        whenColumn(segments.changed, "updatedAt"),
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
