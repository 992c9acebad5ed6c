import { Button, Switch } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { Section } from "../parts/section.tsx";
import { RemoveWebhook } from "./remove-webhook.tsx";
import { useWebhookActions, WEBHOOKS } from "./webhook-actions.ts";

/** Servers that receive events. */
export function WebhooksSection() {
  const { webhooks } = useTexts();
  const { may } = useSession();
  const [isMaking, setMaking] = useState(false);
  const [removed, setRemoved] = useState<Webhook | null>(null);
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
        {(items) => <WebhookTable items={items} onRemove={setRemoved} />}
      </Paged>
      <NewWebhook opened={isMaking} onClose={() => setMaking(false)} />
      <RemoveWebhook removed={removed} onClose={() => setRemoved(null)} />
    </Section>
  );
}

type TableProps = { readonly items: readonly Webhook[]; readonly onRemove: (webhook: Webhook) => void };

function WebhookTable({ items, onRemove }: TableProps) {
  const { webhooks } = useTexts();
  const { may } = useSession();
  const { change, test } = useWebhookActions();
  return (
    <DataTable
      items={items}
      keyOf={({ id }) => id}
      columns={[
        { label: webhooks.address, kind: "long", cell: (webhook) => <Target webhook={webhook} /> },
        {
          label: webhooks.on,
          cell: (webhook) => (
            <Switch
              aria-label={`${webhooks.on}: ${webhook.url}`}
              checked={webhook.enabled}
              disabled={!may("editor")}
              onChange={(event) => change({ webhook, enabled: event.currentTarget.checked })}
            />
          ),
        },
        {
          label: webhooks.actions,
          kind: "actions",
          cell: (webhook) =>
            may("editor") && (
              <>
                <Button size="compact-sm" variant="subtle" onClick={() => test(webhook)}>
                  {webhooks.test}
                </Button>
                <Button size="compact-sm" variant="subtle" onClick={() => onRemove(webhook)}>
                  {webhooks.remove}
                </Button>
              </>
            ),
        },
      ]}
    />
  );
}

function Target({ webhook: { url, events, disabledReason } }: { readonly webhook: Webhook }) {
  const { webhooks, fromServer } = useTexts();
  return (
    <>
      {url}
      <div className="settings-prefix">{events.includes("*") ? webhooks.all : events.join(", ")}</div>
      {disabledReason !== null && <div className="settings-bad">{fromServer(disabledReason)}</div>}
    </>
  );
}
