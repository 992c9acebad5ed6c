/** The mailing that a returned `Feedback-ID` names (`mail/letter/marketing/feedback-id.ts`). */
export type FeedbackSource = { readonly id: string; readonly workspaceId: string; readonly kind: string };

/** Null if it names no mailing: mail of requests always has the same source. */
export function parseFeedbackId(text: string): FeedbackSource | null {
  const [id = "", workspaceId = "", kind = "", ...rest] = text.split(":");
  if (rest.length !== 1 || id === "" || workspaceId === "") return null;
  return kind === "campaign" || kind === "automation" || kind === "confirmation"
    ? { id, workspaceId, kind }
    : null;
}
