import type { Webhook } from "../../../api/api.gen.ts";
import { StatusWord } from "../../../parts/status-word.tsx";
import { useTexts } from "../../../texts/texts.tsx";

/** Whether anything is sent, and who switched it off if not. */
export function WebhookState({ webhook: { enabled, disabledReason } }: { readonly webhook: Webhook }) {
  const { webhooks } = useTexts().activity;
  if (enabled) return <StatusWord tone="good">{webhooks.on}</StatusWord>;
  if (disabledReason === null) return <StatusWord tone="quiet">{webhooks.off}</StatusWord>;
  return <StatusWord tone="bad">{webhooks.stopped}</StatusWord>;
}
