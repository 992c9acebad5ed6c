import { Modal, MultiSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookEventType } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { ShownOnce } from "../../../parts/copies/shown-once.tsx";
import { DialogForm } from "../../../parts/saving/dialog-form.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { EVENT_TYPES } from "./event-types.ts";
import { WEBHOOKS } from "./webhook-actions.ts";

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Adds a server that receives events. Its secret is shown only now. */
export function NewWebhook({ opened, onClose }: Props) {
  const { webhooks } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={webhooks.make}>
      <Making onClose={onClose} />
    </Modal>
  );
}

function Making({ onClose }: { readonly onClose: () => void }) {
  const { webhooks } = useTexts();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>([]);
  const making = useMaking();
  if (making.data !== undefined)
    return (
      <ShownOnce
        says={webhooks.once}
        label={webhooks.secret}
        text={making.data.data.secret}
        onClose={onClose}
      />
    );
  return (
    <DialogForm
      action={webhooks.make}
      isBusy={making.isPending}
      onSubmit={() => {
        const chosen = EVENT_TYPES.filter((type) => events.includes(type));
        making.mutate({ url: url.trim(), events: chosen.length === 0 ? ["*"] : chosen });
      }}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        label={webhooks.address}
        placeholder="https://example.com/hooks/postrider"
        value={url}
        error={making.error?.message}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <MultiSelect
        label={webhooks.events}
        description={webhooks.eventsSay}
        data={[...EVENT_TYPES]}
        value={events}
        onChange={setEvents}
        searchable
      />
    </DialogForm>
  );
}

function useMaking() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { url: string; events: WebhookEventType[] }) =>
      ok(api.POST("/api/v1/webhooks", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}
