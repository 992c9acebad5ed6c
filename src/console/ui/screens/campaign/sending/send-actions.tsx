import { Button } from "@mantine/core";
import { useFormat } from "../../../frame/format.ts";
import { useTexts } from "../../../texts/texts.tsx";

type Props = {
  readonly isScheduled: boolean;
  readonly recipients: number;
  readonly canSchedule: boolean;
  readonly canSend: boolean;
  /** The element that says why it cannot be sent, by its id. */
  readonly describedBy: string | undefined;
  readonly onSchedule: () => void;
  readonly onSend: () => void;
};

/**
 * The brightest button comes last, and is what one does next: send a draft, or give a campaign that goes out by itself
 * another time.
 */
export function SendActions(props: Props) {
  const { isScheduled, recipients, canSchedule, canSend, describedBy, onSchedule, onSend } = props;
  const { sending } = useTexts();
  const { quantity } = useFormat();
  const people = sending.people(quantity(recipients));
  const schedule = (
    <Button
      key="schedule"
      variant={isScheduled ? "filled" : "default"}
      disabled={!canSchedule}
      onClick={onSchedule}
    >
      {isScheduled ? sending.reschedule : sending.schedule}
    </Button>
  );
  const send = (
    <Button
      key="send"
      variant={isScheduled ? "default" : "filled"}
      disabled={!canSend}
      onClick={onSend}
      aria-describedby={describedBy}
    >
      {recipients === 0 ? sending.sendNobody : isScheduled ? sending.sendNow(people) : sending.send(people)}
    </Button>
  );
  return isScheduled ? [send, schedule] : [schedule, send];
}
