import { Button, Table } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import type { Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord, type Tone } from "../../parts/status-word.tsx";
import { sayRefusal } from "../../parts/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";

const TONES: Readonly<Record<WebhookDeliveryState, Tone>> = {
  PENDING: "busy",
  DELIVERED: "good",
  FAILED: "bad",
};
const DEFAULTS = { delivery: "" };

type Props = { readonly webhook: Webhook; readonly deliveries: readonly WebhookDelivery[] };

/** What a webhook was told, each with its attempts to open. */
export function DeliveryTable({ webhook, deliveries }: Props) {
  const { deliveryColumns: columns } = useTexts().activity.webhooks;
  const { may } = useSession();
  const shown = Object.entries(columns).filter(([name]) => name !== "replay" || may("editor"));
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {shown.map(([name, label]) => (
              <Table.Th key={name} {...(name === "replay" ? { ta: "right" as const } : {})}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} width={shown.length} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type RowProps = { readonly webhook: Webhook; readonly delivery: WebhookDelivery; readonly width: number };

function DeliveryRow({ webhook, delivery, width }: RowProps) {
  const { activity, fromServer } = useTexts();
  const { webhooks: texts } = activity;
  const { may } = useSession();
  const [{ delivery: opened }, setAddress] = useAddress(DEFAULTS);
  const attemptsId = useId();
  const { id, type, state, attempts, nextAttemptAt, createdAt } = delivery;
  const isOpen = opened === id;
  const last = attempts.at(-1);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Chevron size={14} aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={isOpen ? attemptsId : undefined}
            disabled={attempts.length === 0}
            onClick={() => setAddress({ delivery: isOpen ? "" : id })}
          >
            {type}
          </Button>
        </Table.Td>
        <Table.Td>
          <StatusWord tone={TONES[state]}>{texts.states[state]}</StatusWord>
          {nextAttemptAt !== null && attempts.length > 0 && (
            <div className="activity-quiet">
              {texts.nextTry} <RelativeTime at={nextAttemptAt} />
            </div>
          )}
        </Table.Td>
        <Table.Td className="activity-long">
          {last === undefined ? texts.waits : fromServer(last.error ?? "") || (last.status ?? texts.noAnswer)}
        </Table.Td>
        <Table.Td>
          <RelativeTime at={createdAt} />
        </Table.Td>
        {may("editor") && (
          <Table.Td ta="right">
            {state !== "PENDING" && webhook.enabled && <Replay webhook={webhook} delivery={delivery} />}
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && attempts.length > 0 && (
        <Table.Tr>
          <Table.Td id={attemptsId} colSpan={width}>
            <Attempts attempts={attempts} />
          </Table.Td>
        </Table.Tr>
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

/** Each request that was made, the newest first, with what was answered as it came. */
function Attempts({ attempts }: { readonly attempts: readonly WebhookAttempt[] }) {
  const { activity, fromServer } = useTexts();
  const { webhooks: texts } = activity;
  const { number } = useFormat();
  return (
    <section aria-label={texts.attempts(number(attempts.length))}>
      <h3 className="activity-attempts">{texts.attempts(number(attempts.length))}</h3>
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
