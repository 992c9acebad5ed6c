import { Button, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Moment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import type { Tone } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";

const MOMENTS = 30;

const TONES: Partial<Record<Moment["kind"], Tone>> = {
  opened: "good",
  clicked: "good",
  bounce: "bad",
  suppression: "look",
  consent: "busy",
};

/** What happened to somebody and what they did, newest first. */
export function History({ id }: { readonly id: string }) {
  const { contact: texts } = useTexts();
  const query = useInfiniteQuery({
    queryKey: ["contacts", "timeline", id],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      ok(
        api.GET("/api/v1/contacts/{id}/timeline", {
          params: {
            path: { id },
            query: { limit: MOMENTS, ...(pageParam === "" ? {} : { after: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });
  const moments = query.data?.pages.flatMap(({ data }) => data);
  return (
    <section aria-labelledby="history" className="contact-history">
      <Title order={2} id="history">
        {texts.history}
      </Title>
      {query.error && <LoadError error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {moments?.length === 0 && <p className="contact-none">{texts.noHistory}</p>}
      {moments !== undefined && moments.length > 0 && (
        <ol className="contact-moments">
          {moments.map(({ id: moment, at, kind, text }) => (
            <li key={moment} data-tone={TONES[kind] ?? "quiet"}>
              <span>{text}</span>
              <RelativeTime at={at} />
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.older}
        </Button>
      )}
    </section>
  );
}
