import { Title } from "@mantine/core";
import { Link } from "wouter";
import type { Contact, Moment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { Paged } from "../../parts/lists/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import type { Tone } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { placeOf } from "./moment-link.ts";

const MOMENTS = 30;

const TONES: Partial<Record<Moment["kind"], Tone>> = {
  opened: "good",
  clicked: "good",
  bounce: "bad",
  suppression: "look",
  consent: "busy",
};

/** What happened to somebody and what they did, newest first. */
export function History({ contact: { id, email } }: { readonly contact: Contact }) {
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
            {moments.map((moment) => {
              const place = placeOf(moment, email);
              const says = fromServer(moment.text);
              return (
                <li key={moment.id} data-tone={TONES[moment.kind] ?? "quiet"}>
                  {place === null ? <span>{says}</span> : <Link href={place}>{says}</Link>}
                  <RelativeTime at={moment.at} />
                </li>
              );
            })}
          </ol>
        )}
      </Paged>
    </section>
  );
}
