/** The same in all our Feedback-IDs: constant, 5 to 15 characters. */
const SENDER_ID = "postrider";

/**
 * The value of a Feedback-ID field, by which Gmail groups complaints: source, workspace, kind and sender, the four
 * fields that Gmail expects. `source` is the id of a campaign, an automation or a form. Anything after a colon in a
 * mailing's source (month, wording) is left out: it would add fields, and Gmail reports nothing about such small
 * groups.
 */
export const feedbackId = (source: string, workspaceId: string, kind: string): string =>
  [source.split(":", 1)[0], workspaceId, kind, SENDER_ID].join(":");
