import { Alert, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import { useFormat } from "../../../frame/format.ts";
import { useGoOn } from "../../../frame/still-here.ts";
import { ConfirmByTyping } from "../../../parts/confirm-by-typing.tsx";
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
  readonly isAsShown: () => Promise<boolean>;
};

/** A refusal comes within this time. Without one, the send is running, and the report shows its progress. */
const REFUSAL_MS = 1_200;

/** Asks once more, with the number of people. After that it cannot be undone. */
export function SendDialog({ id, recipients, audience, zone, opened, onClose, isAsShown }: Props) {
  const { sending } = useTexts();
  const { number, quantity, time } = useFormat(zone);
  const people = sending.people(quantity(recipients));
  const send = useSend({ id, recipients, onClose, isAsShown });
  const { error } = send;
  return (
    <ConfirmByTyping
      opened={opened}
      onClose={onClose}
      title={sending.sendTitle}
      answer={number(recipients)}
      action={sending.send(people)}
      isBusy={send.isPending}
      onConfirm={send.mutate}
    >
      <Text fw={600}>{sending.sendSays(people, audience)}</Text>
      <Text size="sm">{sending.sendHour(time(new Date()), zone)}</Text>
      <Text size="sm">{sending.sendFinal}</Text>
      {error instanceof OtherNumber ? (
        <Alert color="yellow" role="alert">
          {sending.otherNumber(sending.people(quantity(error.recipients)))}
        </Alert>
      ) : (
        error && <LoadError error={error} />
      )}
    </ConfirmByTyping>
  );
}

/** The letter is another by now: it is shown, and nothing over it. */
export function showAnew(onClose: () => void, message: string): void {
  onClose();
  notifications.show({ color: "yellow", autoClose: false, message });
}

/** The audience changed while the question was on the screen. */
class OtherNumber extends Error {
  constructor(readonly recipients: number) {
    super("The number of people has changed.");
  }
}

type Sending = Pick<Props, "id" | "recipients" | "onClose" | "isAsShown">;

type Outcome = "sent" | "otherLetter" | "closed";

/**
 * Sends the letter that was shown, to as many people as were confirmed; if either is another by now, it asks again.
 * Nothing is sent once the question was closed: on a slow network that is possible before it goes out.
 */
function useSend({ id, recipients, onClose, isAsShown }: Sending) {
  const { sending } = useTexts();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const params = { path: { id } };
  return useMutation({
    mutationFn: async (isClosed: () => boolean): Promise<Outcome> => {
      const isSame = await isAsShown();
      if (isClosed()) return "closed";
      if (!isSame) return "otherLetter";
      const { data: now } = await ok(api.POST("/api/v1/campaigns/{id}/check", { params }));
      if (now.recipients !== recipients) {
        await queries.invalidateQueries({ queryKey: ["campaign", id, "check"] });
        throw new OtherNumber(now.recipients);
      }
      if (isClosed()) return "closed";
      const sent = ok(api.POST("/api/v1/campaigns/{id}/send", { params }));
      const patience = new Promise((resolve) => {
        setTimeout(resolve, REFUSAL_MS);
      });
      await Promise.race([sent, patience]);
      // A later answer is shown in the report.
      void sent.catch(() => undefined).then(() => queries.invalidateQueries({ queryKey: ["campaign", id] }));
      return "sent";
    },
    onSuccess: (outcome) => {
      if (outcome === "closed") return;
      if (outcome === "otherLetter") return showAnew(onClose, sending.otherLetter);
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      goOn(`/campaigns/${encodeURIComponent(id)}/report`);
    },
  });
}
