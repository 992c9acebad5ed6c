/** Ours in every Feedback-ID: constant, 5 to 15 characters. */
const SENDER_ID = "postrider";

/**
 * The value of a Feedback-ID field, by which Gmail groups complaints: what the mail belongs to, workspace, kind and sender, four
 * fields as it wants them. `source` is a campaign's, automation's or form's id; what a mailing's source says
 * behind a colon (month, wording) is left out: it would be more fields, and groups too small to be told about.
 */
export const feedbackId = (source: string, workspaceId: string, kind: string): string =>
  [source.split(":", 1)[0], workspaceId, kind, SENDER_ID].join(":");
