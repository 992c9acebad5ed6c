import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, ok } from "../../../api/client.ts";
import { useFormat, useLocale } from "../../../frame/format.ts";
import { ConfirmByNumber } from "../../../parts/confirm-by-number.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = {
  readonly id: string;
  readonly recipients: number;
  /** Who gets it, in words: the list, and the segment. */
  readonly audience: string;
  readonly zone: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly beforehand: () => Promise<void>;
};

/** A refusal comes within this time. Without one, the send is running, and the report shows its progress. */
const REFUSAL_MS = 1_200;

/** Asks once more, with the number of people. After that it cannot be undone. */
export function SendDialog({ id, recipients, audience, zone, opened, onClose, beforehand }: Props) {
  const { sending } = useTexts();
  const { number, quantity } = useFormat();
  const people = sending.people(quantity(recipients));
  const send = useSend(id, beforehand);
  const clock = new Intl.DateTimeFormat(useLocale(), {
    timeStyle: "short",
    timeZone: zone,
  });
  return (
    <ConfirmByNumber
      opened={opened}
      onClose={onClose}
      title={sending.sendTitle}
      answer={number(recipients)}
      action={sending.send(people)}
      isBusy={send.isPending}
      onConfirm={() => send.mutate()}
    >
      <Text fw={600}>{sending.sendSays(people, audience)}</Text>
      <Text size="sm">{sending.sendHour(clock.format(new Date()), zone)}</Text>
      <Text size="sm">{sending.sendFinal}</Text>
      {send.error && <LoadError error={send.error} />}
    </ConfirmByNumber>
  );
}

function useSend(id: string, beforehand: () => Promise<void>) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async () => {
      await beforehand();
      const sent = ok(api.POST("/api/v1/campaigns/{id}/send", { params: { path: { id } } }));
      const patience = new Promise((resolve) => {
        setTimeout(resolve, REFUSAL_MS);
      });
      await Promise.race([sent, patience]);
      // A later answer is shown in the report.
      void sent.catch(() => undefined).then(() => queries.invalidateQueries({ queryKey: ["campaign", id] }));
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      navigate(`/campaigns/${encodeURIComponent(id)}/report`);
    },
  });
}
