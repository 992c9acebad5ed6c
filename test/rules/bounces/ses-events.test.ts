/** Amazon SES tells by its hook, or by e-mail to the mailbox. One event means the same by both. */
import { describe, expect, test } from "bun:test";
import { judgeFailure } from "#bounces/reading/judgment.ts";
import { readMail } from "#bounces/reading/read-mail.ts";
import { PROVIDERS } from "#inbound/hooks/provider.ts";
import { serverMail } from "../../support/inbound/reports.ts";

type Event = Readonly<Record<string, unknown>>;

/** As `takeReport` judges it. */
const byHook = (event: Event): string[] =>
  PROVIDERS.ses
    .read(event)
    .map(({ kind, status, diagnostic }) =>
      kind === "failed" ? judgeFailure(status, diagnostic).kind : kind,
    );

/** Good news, and what is not final, is no report by the hook; a mail that is understood has one for everything. */
async function byMailbox(event: Event): Promise<string[]> {
  const footer = "\n--\nIf you wish to stop receiving notifications from this topic, please visit the link.";
  const mail = serverMail("Amazon SES Email Event Notification", `${JSON.stringify(event)}\n${footer}`);
  const kinds = (await readMail(mail)).reports.map(({ kind }) => kind);
  expect(kinds).not.toEqual([]);
  return kinds.filter((kind) => kind !== "delivered" && kind !== "delayed");
}

const NONE = "no report";

const GONE = { status: "5.1.1", action: "failed", diagnosticCode: "smtp; 550 5.1.1 user unknown" };
const BLOCKED = { status: "5.7.1", action: "failed", diagnosticCode: "smtp; 550 5.7.1 blocked as spam" };
const FULL = { status: "5.2.2", action: "failed", diagnosticCode: "smtp; 552 5.2.2 mailbox full" };

describe("a bounce means the same by hook and by mailbox", () => {
  test.each<[string, string, object, string]>([
    ["Permanent", "General", GONE, "hard"],
    ["Permanent", "NoEmail", GONE, "hard"],
    ["Permanent", "General", {}, "hard"],
    ["Permanent", "NoEmail", {}, "hard"],
    ["Permanent", "Suppressed", {}, "hard"],
    ["Permanent", "OnAccountSuppressionList", {}, "hard"],
    ["Permanent", "General", { status: "5.0.0", diagnosticCode: "smtp; 550 rejected" }, "hard"],
    // It quotes a softer reply.
    ["Permanent", "General", BLOCKED, "policy"],
    ["Permanent", "NoEmail", FULL, "soft"],
    ["Permanent", "General", { status: "4.4.7" }, "soft"],
    ["Permanent", "UnsubscribedRecipient", {}, "policy"],
    ["Permanent", "ContentRejected", GONE, "policy"],
    ["Transient", "General", GONE, "soft"],
    ["Transient", "MailboxFull", FULL, "soft"],
    ["Transient", "MessageTooLarge", {}, "policy"],
    ["Transient", "ContentRejected", {}, "policy"],
    ["Transient", "AttachmentRejected", {}, "policy"],
    ["Transient", "CustomTimeoutExceeded", {}, "policy"],
    ["Undetermined", "Undetermined", {}, "soft"],
    ["Undetermined", "MessageTooLarge", {}, "soft"],
    ["", "", {}, "soft"],
    // No failure.
    ["Permanent", "General", { ...GONE, action: "delayed" }, NONE],
    ["Permanent", "General", { ...GONE, action: "Expanded" }, NONE],
    ["Permanent", "General", { ...GONE, action: "relayed" }, NONE],
    ["Permanent", "General", { ...GONE, action: "FAILED" }, "hard"],
  ])("%s %s %j is %s", async (bounceType, bounceSubType, fields, kind) => {
    const bouncedRecipients = [{ emailAddress: "grace@example.com", ...fields }];
    const event = { notificationType: "Bounce", bounce: { bounceType, bounceSubType, bouncedRecipients } };
    expect(byHook(event)).toEqual(kind === NONE ? [] : [kind]);
    expect(await byMailbox(event)).toEqual(kind === NONE ? [] : [kind]);
  });
});

describe("a complaint means the same by hook and by mailbox", () => {
  test.each<[object, string]>([
    [{}, "complaint"],
    [{ complaintFeedbackType: "abuse" }, "complaint"],
    [{ complaintFeedbackType: "not-spam" }, NONE],
    [{ complaintSubType: "OnAccountSuppressionList" }, NONE],
  ])("%j is %s", async (fields, kind) => {
    const complainedRecipients = [{ emailAddress: "grace@example.com" }];
    const event = { eventType: "Complaint", complaint: { complainedRecipients, ...fields } };
    expect(byHook(event)).toEqual(kind === NONE ? [] : [kind]);
    expect(await byMailbox(event)).toEqual(kind === NONE ? [] : [kind]);
  });
});
