import { Group, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { MessageMoment, MessageStory } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { OUTCOME_TONES } from "../../parts/outcome.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { BackLink } from "./back-link.tsx";
import { OutcomeReason } from "./outcome-reason.tsx";

/** One transactional message: its outcome with the reason, and what happened to it. */
export function MessageDetail({ id }: { readonly id: string }) {
  const { messages: texts } = useTexts().activity;
  const found = useQuery({
    queryKey: ["messages", "one", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/messages/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
  });
  return (
    <>
      <BackLink href="/activity?tab=messages" label={texts.back} />
      {found.error && <LoadError error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined && !found.error && <Loading />}
      {found.data && <Story message={found.data} />}
    </>
  );
}

function Story({ message }: { readonly message: MessageStory }) {
  const { activity, report } = useTexts();
  const { messages: texts } = activity;
  const { email, state, contactId } = message;
  return (
    <>
      <Group mb="xs" gap="sm">
        <Title order={2} className="activity-long">
          {email}
        </Title>
        <StatusWord tone={OUTCOME_TONES[state]}>{report.states[state]}</StatusWord>
      </Group>
      <div className="activity-notice">
        <OutcomeReason message={message} />
      </div>
      {contactId !== null && (
        <p className="activity-notice">
          <Link href={`/contacts/${contactId}`}>{texts.contact}</Link>
        </p>
      )}
      <Facts message={message} />
      <History moments={message.history} />
      <p className="activity-quiet">{texts.notKept}</p>
    </>
  );
}

function Facts({ message: { sendId, messageId, attempts, tags } }: { readonly message: MessageStory }) {
  const { messages: texts } = useTexts().activity;
  const facts = [
    [texts.tags, tags.join(", ")],
    [texts.attempts, String(attempts)],
    [texts.sendId, sendId],
    [texts.messageId, messageId ?? ""],
  ].filter(([, value]) => value !== "");
  return (
    <dl className="activity-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function History({ moments }: { readonly moments: readonly MessageMoment[] }) {
  const { messages: texts } = useTexts().activity;
  return (
    <section aria-labelledby="message-history">
      <Title order={3} id="message-history">
        {texts.history}
      </Title>
      <ol className="activity-moments">
        {moments.map(({ at, what, words }) => (
          <li key={`${what} ${at}`}>
            <span>
              {texts.moments[what]}
              {words !== null && words !== "" && <span className="activity-words">{words}</span>}
            </span>
            <RelativeTime at={at} />
          </li>
        ))}
      </ol>
    </section>
  );
}
