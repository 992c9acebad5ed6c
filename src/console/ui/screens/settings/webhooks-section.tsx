import { Button, Switch, Table } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session.tsx";
import { Paged } from "../../parts/paged.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { Section } from "./section.tsx";
import { useWebhookActions, WEBHOOKS } from "./webhook-actions.ts";

/** Servers that are told what happens. */
export function WebhooksSection() {
  const { webhooks } = useTexts();
  const { may } = useSession();
  const [isMaking, setMaking] = useState(false);
  const pages = usePages<Webhook>(WEBHOOKS, ({ query, signal }) =>
    ok(api.GET("/api/v1/webhooks", { params: { query }, signal })),
  );
  return (
    <Section
      title={webhooks.title}
      says={webhooks.says}
      actions={may("editor") && <Button onClick={() => setMaking(true)}>{webhooks.make}</Button>}
    >
      <Paged pages={pages} empty={<p>{webhooks.none}</p>}>
        {(items) => (
          <Table.ScrollContainer minWidth={520}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{webhooks.address}</Table.Th>
                  <Table.Th>{webhooks.on}</Table.Th>
                  <Table.Th ta="right">{webhooks.actions}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Paged>
      <NewWebhook opened={isMaking} onClose={() => setMaking(false)} />
    </Section>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks } = useTexts();
  const { may } = useSession();
  const { change, test, remove } = useWebhookActions();
  const { url, events, enabled, disabledReason } = webhook;
  return (
    <Table.Tr>
      <Table.Td className="settings-long">
        {url}
        <div className="settings-prefix">{events.includes("*") ? webhooks.all : events.join(", ")}</div>
        {disabledReason !== null && <div className="settings-bad">{disabledReason}</div>}
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={`${webhooks.on}: ${url}`}
          checked={enabled}
          disabled={!may("editor")}
          onChange={(event) => change({ webhook, enabled: event.currentTarget.checked })}
        />
      </Table.Td>
      <Table.Td ta="right" className="settings-actions">
        {may("editor") && (
          <>
            <Button size="compact-sm" variant="subtle" onClick={() => test(webhook)}>
              {webhooks.test}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => remove(webhook)}>
              {webhooks.remove}
            </Button>
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
