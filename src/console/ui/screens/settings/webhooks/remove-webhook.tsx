import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Webhook } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { ConfirmByTyping } from "../../../parts/confirm-by-typing.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { WEBHOOKS } from "./webhook-actions.ts";

type Props = { readonly removed: Webhook | null; readonly onClose: () => void };

/** Its secret and the calls that it is owed cannot be brought back, so it asks for the server's name. */
export function RemoveWebhook({ removed, onClose }: Props) {
  const { webhooks } = useTexts();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: (id: string) => ok(api.DELETE("/api/v1/webhooks/{id}", { params: { path: { id } } })),
    onSuccess: onClose,
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  return (
    <ConfirmByTyping
      opened={removed !== null}
      onClose={onClose}
      title={webhooks.removeTitle}
      answer={removed === null ? "" : new URL(removed.url).host}
      action={webhooks.remove}
      isDangerous
      isBusy={removing.isPending}
      onConfirm={() => removed !== null && removing.mutate(removed.id)}
    >
      <Text fw={600} className="settings-long">
        {removed?.url}
      </Text>
      <Text>{webhooks.removeSays}</Text>
    </ConfirmByTyping>
  );
}
