import { Text } from "@mantine/core";
import type { Webhook } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { RemoveDialog } from "../../../parts/remove-dialog.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { WEBHOOKS } from "./webhook-actions.ts";

type Props = { readonly removed: Webhook | null; readonly onClose: () => void };

/** Its secret and the calls that it is owed cannot be brought back, so it asks for the server's name. */
export function RemoveWebhook({ removed, onClose }: Props) {
  const { webhooks } = useTexts();
  return (
    <RemoveDialog
      removed={removed}
      onClose={onClose}
      nameOf={({ url }) => new URL(url).host}
      title={webhooks.removeTitle}
      says={
        <>
          <Text fw={600} className="settings-long">
            {removed?.url}
          </Text>
          <Text>{webhooks.removeSays}</Text>
        </>
      }
      action={webhooks.remove}
      remove={(id) => ok(api.DELETE("/api/v1/webhooks/{id}", { params: { path: { id } } }))}
      queryKey={WEBHOOKS}
    />
  );
}
