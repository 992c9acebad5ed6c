import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { Webhook } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useAddress } from "../../../frame/use-address.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { EmptyState } from "../../../parts/states/empty-state.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { WebhookDetail } from "./webhook-detail.tsx";
import { WebhookState } from "./webhook-state.tsx";

const DEFAULTS = { hook: "" };

/** All webhooks; or one of them, with what was sent to it. */
export function WebhooksTab() {
  const [{ hook }] = useAddress(DEFAULTS);
  return hook === "" ? <WebhookList /> : <WebhookDetail key={hook} id={hook} />;
}

function WebhookList() {
  const { webhooks: texts } = useTexts().activity;
  const pages = usePages<Webhook>(["webhooks"], ({ query, signal }) =>
    ok(api.GET("/api/v1/webhooks", { params: { query }, signal })),
  );
  const empty = (
    <EmptyState
      title={texts.none}
      says={texts.noneSays}
      action={
        <Button component={Link} href="/settings/webhooks">
          {texts.toSettings}
        </Button>
      }
    />
  );
  return (
    <Paged pages={pages} empty={empty}>
      {(items) => (
        <DataTable
          items={items}
          keyOf={({ id }) => id}
          columns={[
            {
              label: texts.columns.address,
              kind: "long",
              cell: ({ id, url }) => <Link href={`/activity?tab=webhooks&hook=${id}`}>{url}</Link>,
            },
            {
              label: texts.columns.events,
              kind: "long",
              cell: ({ events }) => (events.includes("*") ? texts.everything : events.join(", ")),
            },
            { label: texts.columns.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
            {
              label: texts.columns.since,
              kind: "when",
              cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
            },
          ]}
        />
      )}
    </Paged>
  );
}
