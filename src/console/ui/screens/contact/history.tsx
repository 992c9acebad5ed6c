import { Title } from "@mantine/core";
import type { Moment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Paged } from "../../parts/lists/paged.tsx";
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
  const { contact: texts, fromServer } = useTexts();
  const pages = usePages<Moment>(["contacts", "timeline", id], ({ query, signal }) =>
    ok(
      api.GET("/api/v1/contacts/{id}/timeline", {
        params: { path: { id }, query: { ...query, limit: MOMENTS } },
        signal,
      }),
    ),
  );
  return (
    <section aria-labelledby="history" className="contact-history">
      <Title order={2} id="history">
        {texts.history}
      </Title>
      <Paged pages={pages} empty={<p className="contact-none">{texts.noHistory}</p>}>
        {(moments) => (
          <ol className="contact-moments">
            {moments.map(({ id: moment, at, kind, text }) => (
              <li key={moment} data-tone={TONES[kind] ?? "quiet"}>
                <span>{fromServer(text)}</span>
                <RelativeTime at={at} />
              </li>
            ))}
          </ol>
        )}
      </Paged>
    </section>
  );
}
