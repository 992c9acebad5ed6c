import { Alert, Button, Group, SegmentedControl, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Webhook, WebhookDelivery, WebhookDeliveryState } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useAddress } from "../../../frame/use-address.ts";
import { EmptyState } from "../../../parts/states/empty-state.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { BackLink } from "../back-link.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { WebhookState } from "./webhook-state.tsx";

const STATES = ["PENDING", "DELIVERED", "FAILED"] as const satisfies readonly WebhookDeliveryState[];
const DEFAULTS = { state: "" };

/** One webhook: whether it is on, and what was sent to it, with the answers. */
export function WebhookDetail({ id }: { readonly id: string }) {
  const { activity } = useTexts();
  const found = useQuery({
    queryKey: ["webhooks", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/webhooks/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
  });
  return (
    <>
      <BackLink href="/activity?tab=webhooks" label={activity.back} />
      {found.error && <LoadError error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined && !found.error && <Loading />}
      {found.data && (
        <>
          <Group mb="md" gap="sm">
            <Title order={2} className="activity-long">
              {found.data.url}
            </Title>
            <WebhookState webhook={found.data} />
          </Group>
          <OffNotice webhook={found.data} />
          <Deliveries webhook={found.data} />
        </>
      )}
    </>
  );
}

/** Why nothing is sent, and a button that switches it on. */
function OffNotice({ webhook: { id, enabled, disabledReason } }: { readonly webhook: Webhook }) {
  const { activity, fromServer } = useTexts();
  const { webhooks: texts } = activity;
  const { may } = useSession();
  const queries = useQueryClient();
  const switchOn = useMutation({
    mutationFn: () =>
      ok(api.PATCH("/api/v1/webhooks/{id}", { params: { path: { id } }, body: { enabled: true } })),
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  if (enabled) return null;
  return (
    <Alert color={disabledReason === null ? "gray" : "red"} mb="md">
      <p className="activity-notice">
        {disabledReason === null ? texts.offSays : texts.stoppedSays(fromServer(disabledReason))}
      </p>
      {may("editor") && (
        <Button size="xs" loading={switchOn.isPending} onClick={() => switchOn.mutate()}>
          {texts.switchOn}
        </Button>
      )}
    </Alert>
  );
}

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { activity } = useTexts();
  const { webhooks: texts } = activity;
  const [{ state }, setAddress] = useAddress(DEFAULTS);
  const wanted = STATES.find((known) => known === state);
  const pages = useDeliveries(webhook.id, wanted);
  const empty =
    wanted === undefined ? (
      <EmptyState title={texts.noDeliveries} says={texts.noDeliveriesSays} />
    ) : (
      <EmptyState title={activity.nothingFits} says={activity.nothingFitsSays} />
    );
  return (
    <>
      <SegmentedControl
        aria-label={texts.filter}
        mb="md"
        data={[
          { value: "", label: activity.all },
          ...STATES.map((value) => ({ value, label: texts.states[value] })),
        ]}
        value={wanted ?? ""}
        onChange={(next) => setAddress({ state: next })}
      />
      <Paged pages={pages} empty={empty}>
        {(items) => <DeliveryTable webhook={webhook} deliveries={items} />}
      </Paged>
    </>
  );
}

const useDeliveries = (id: string, state: WebhookDeliveryState | undefined) =>
  usePages<WebhookDelivery>(
    ["webhooks", id, "deliveries", state ?? ""],
    ({ query, signal }) => {
      const params = { path: { id }, query: { ...query, ...(state === undefined ? {} : { state }) } };
      return ok(api.GET("/api/v1/webhooks/{id}/deliveries", { params, signal }));
    },
    (delivery) => delivery.state === "PENDING",
  );
