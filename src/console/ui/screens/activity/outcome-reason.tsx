import type { Message } from "../../api/api.gen.ts";
import { useTexts } from "../../texts/texts.tsx";

/** The reason of an outcome in words, and what the other side answered, unless the news is good. */
export function OutcomeReason({ message: { state, reason, smtpReply } }: { readonly message: Message }) {
  const { report, sending } = useTexts();
  return (
    <>
      <span>{reason === null ? report.stateSays[state] : (sending.reasons[reason] ?? reason)}</span>
      {smtpReply !== null && state !== "SENT" && (
        <p className="activity-quiet">
          {report.answer}: {smtpReply}
        </p>
      )}
    </>
  );
}
