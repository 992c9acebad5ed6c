import { Button, Table } from "@mantine/core";
import { Link } from "wouter";
import type { Webhook } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { WebhookDetail } from "./webhook-detail.tsx";
import { WebhookState } from "./webhook-state.tsx";

const DEFAULTS = { hook: "" };

/** Which servers are told what happens; one of them, with what it was told. */
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
        <Table.ScrollContainer minWidth={720}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {Object.entries(texts.columns).map(([name, label]) => (
                  <Table.Th key={name}>{label}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((webhook) => (
                <Table.Tr key={webhook.id}>
                  <Table.Td className="activity-long">
                    <Link href={`/activity?tab=webhooks&hook=${webhook.id}`}>{webhook.url}</Link>
                  </Table.Td>
                  <Table.Td className="activity-long">
                    {webhook.events.includes("*") ? texts.everything : webhook.events.join(", ")}
                  </Table.Td>
                  <Table.Td>
                    <WebhookState webhook={webhook} />
                  </Table.Td>
                  <Table.Td>
                    <RelativeTime at={webhook.createdAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paged>
  );
}
