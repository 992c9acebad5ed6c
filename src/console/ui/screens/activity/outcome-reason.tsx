import type { Message } from "../../api/api.gen.ts";
import { useOutcomeWords } from "../../parts/outcome.ts";
import { useTexts } from "../../texts/texts.tsx";

/** The reason of an outcome in words, and what the other side answered, unless the news is good. */
export function OutcomeReason({ message: { state, reason, smtpReply } }: { readonly message: Message }) {
  const { report } = useTexts();
  const wordsOf = useOutcomeWords();
  return (
    <>
      <span>{wordsOf(state, reason)}</span>
      {smtpReply !== null && state !== "SENT" && (
        <p className="activity-quiet">
          {report.answer}: {smtpReply}
        </p>
      )}
    </>
  );
}
