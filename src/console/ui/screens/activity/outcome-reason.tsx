import type { Message } from "../../api/api.gen.ts";
import { useTexts } from "../../texts/texts.tsx";

/** The outcome's reason in words, and what the other side said where it is not good news. */
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
