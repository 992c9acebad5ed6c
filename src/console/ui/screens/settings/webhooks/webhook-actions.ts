import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Webhook } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

export const WEBHOOKS = ["webhooks"] as const;

/** The actions for one webhook. */
export function useWebhookActions() {
  const queries = useQueryClient();
  const { webhooks } = useTexts();
  const change = useMutation({
    mutationFn: ({ webhook: { id }, enabled }: { webhook: Webhook; enabled: boolean }) =>
      ok(api.PATCH("/api/v1/webhooks/{id}", { params: { path: { id } }, body: { enabled } })),
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  const test = useMutation({
    mutationFn: ({ id }: Webhook) => ok(api.POST("/api/v1/webhooks/{id}/test", { params: { path: { id } } })),
    onError: sayRefusal,
    onSuccess: () => notifications.show({ message: webhooks.tested }),
  });
  return { change: change.mutate, test: test.mutate };
}
