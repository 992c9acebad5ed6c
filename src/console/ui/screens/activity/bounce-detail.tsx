import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { BounceMail } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSession } from "../../frame/session/session.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { BackLink } from "./back-link.tsx";
import { Concerned } from "./concerned.tsx";
import { DeleteBounce } from "./delete-bounce.tsx";

/** One mail that Postrider could not read. A stranger wrote it, so it is shown as text and never as a page. */
export function BounceDetail({ id }: { readonly id: string }) {
  const { bounces: texts } = useTexts().activity;
  const found = useQuery({
    queryKey: ["bounces", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/bounces/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
  });
  return (
    <>
      <BackLink href="/activity?tab=bounces" label={texts.back} />
      {found.error && <LoadError error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined && !found.error && <Loading />}
      {found.data && <Mail mail={found.data} />}
    </>
  );
}

function Mail({ mail }: { readonly mail: BounceMail }) {
  const { bounces: texts } = useTexts().activity;
  const { may } = useSession();
  const { from, subject, receivedAt, text, source } = mail;
  return (
    <>
      <Title order={2} className="activity-long">
        {subject || texts.noSubject}
      </Title>
      <p className="activity-notice">
        {from || texts.noFrom}, <RelativeTime at={receivedAt} />
      </p>
      <Title order={3} id="bounce-text">
        {texts.text}
      </Title>
      {text === "" ? <p className="activity-notice">{texts.noText}</p> : <Raw of={text} by="bounce-text" />}
      <Concerned mail={mail} />
      <p className="activity-notice">
        {texts.deadSays} <Link href="/settings/suppressions">{texts.toSuppressions}</Link>
      </p>
      {may("editor") && <DeleteBounce mail={mail} />}
      <details className="activity-source" open={text === ""}>
        <summary id="bounce-source">{texts.source}</summary>
        <Raw of={source} by="bounce-source" />
      </details>
    </>
  );
}

/** It scrolls by itself, so it must be reachable by keyboard. */
const Raw = ({ of, by }: { readonly of: string; readonly by: string }) => (
  <pre className="activity-raw" role="region" tabIndex={0} aria-labelledby={by}>
    {of}
  </pre>
);
