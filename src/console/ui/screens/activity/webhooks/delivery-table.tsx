import { Button } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Webhook, WebhookDelivery, WebhookDeliveryState } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { useFormat } from "../../../frame/format.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useAddress } from "../../../frame/use-address.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { StatusWord, type Tone } from "../../../parts/status-word.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

const TONES: Readonly<Record<WebhookDeliveryState, Tone>> = {
  PENDING: "busy",
  DELIVERED: "good",
  FAILED: "bad",
};
const DEFAULTS = { delivery: "" };

type Props = { readonly webhook: Webhook; readonly deliveries: readonly WebhookDelivery[] };

/** What was sent to a webhook, each with its attempts. */
export function DeliveryTable({ webhook, deliveries }: Props) {
  const { activity, fromServer } = useTexts();
  const { webhooks: texts } = activity;
  const { deliveryColumns: columns } = texts;
  const { may } = useSession();
  const [{ delivery: opened }] = useAddress(DEFAULTS);
  const answerTo = ({ attempts }: WebhookDelivery) => {
    const last = attempts.at(-1);
    if (last === undefined) return texts.waits;
    return fromServer(last.error ?? "") || (last.status ?? texts.noAnswer);
  };
  return (
    <DataTable
      items={deliveries}
      keyOf={({ id }) => id}
      columns={[
        { label: columns.event, cell: (delivery) => <Opener delivery={delivery} /> },
        { label: columns.state, cell: (delivery) => <Standing delivery={delivery} /> },
        { label: columns.answer, kind: "long", cell: answerTo },
        { label: columns.happened, kind: "when", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        may("editor")
          ? {
              label: columns.replay,
              kind: "actions",
              cell: (delivery) =>
                delivery.state !== "PENDING" &&
                webhook.enabled && <Replay webhook={webhook} delivery={delivery} />,
            }
          : null,
      ]}
      below={(delivery) =>
        opened === delivery.id && delivery.attempts.length > 0 ? <Attempts delivery={delivery} /> : null
      }
    />
  );
}

const attemptsId = ({ id }: WebhookDelivery): string => `attempts-${id}`;

/** The kind of event; a click shows the attempts to deliver it. */
function Opener({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { id, type, attempts } = delivery;
  const [{ delivery: opened }, setAddress] = useAddress(DEFAULTS);
  const isOpen = opened === id;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Chevron size={14} aria-hidden />}
      aria-expanded={isOpen}
      aria-controls={isOpen ? attemptsId(delivery) : undefined}
      disabled={attempts.length === 0}
      onClick={() => setAddress({ delivery: isOpen ? "" : id })}
    >
      {type}
    </Button>
  );
}

function Standing({ delivery: { state, attempts, nextAttemptAt } }: { readonly delivery: WebhookDelivery }) {
  const { webhooks: texts } = useTexts().activity;
  return (
    <>
      <StatusWord tone={TONES[state]}>{texts.states[state]}</StatusWord>
      {nextAttemptAt !== null && attempts.length > 0 && (
        <div className="activity-quiet">
          {texts.nextTry} <RelativeTime at={nextAttemptAt} />
        </div>
      )}
    </>
  );
}

function Replay({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: WebhookDelivery }) {
  const { webhooks: texts } = useTexts().activity;
  const queries = useQueryClient();
  const path = { id: webhook.id, deliveryId: delivery.id };
  const replay = useMutation({
    mutationFn: () =>
      ok(api.POST("/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay", { params: { path } })),
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ["webhooks", webhook.id] }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={texts.replayOf(delivery.type)}
      loading={replay.isPending}
      onClick={() => replay.mutate()}
    >
      {texts.replay}
    </Button>
  );
}

/** Each request that was made, newest first, with the unchanged answer. */
function Attempts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { attempts } = delivery;
  const { activity, fromServer } = useTexts();
  const { webhooks: texts } = activity;
  const { number, quantity } = useFormat();
  return (
    <section id={attemptsId(delivery)} aria-label={texts.attempts(quantity(attempts.length))}>
      <h3 className="activity-attempts">{texts.attempts(quantity(attempts.length))}</h3>
      <ol className="activity-attempts" reversed>
        {attempts.toReversed().map(({ at, status, answer, error, durationMs }) => (
          <li key={at}>
            <RelativeTime at={at} />
            {": "}
            {texts.attempt(status === null ? texts.noAnswer : String(status), number(durationMs))}
            {error !== null && <p className="activity-bad">{fromServer(error)}</p>}
            {answer === "" ? (
              status !== null && <p className="activity-quiet">{texts.emptyAnswer}</p>
            ) : (
              <pre className="activity-raw">{answer}</pre>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
