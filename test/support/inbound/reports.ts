/** Reports as mail servers write them. */
import type { Taken } from "#bounces/incoming.ts";
import { eventually } from "../common/eventually.ts";
import { makeAudience, makeCampaign, reportOf, send, type SendingApi } from "../sending/sending.ts";

export const BOUNCE_DOMAIN = "bounces.shop.example.org";

export type DsnFields = {
  readonly action?: string;
  readonly status?: string;
  readonly diagnostic?: string;
  readonly recipient?: string;
  /** Header fields of the returned mail. */
  readonly returned?: string;
};

/** A delivery report (RFC 3464). */
export function dsn({
  action = "failed",
  status = "5.1.1",
  diagnostic = "smtp; 550 5.1.1 No such user here",
  recipient = "somebody@elsewhere.example",
  returned = "Subject: Spring\n",
}: DsnFields = {}): Buffer {
  return mail(`From: MAILER-DAEMON@mx.example.net
To: b@example.org
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

It could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: ${status}
${diagnostic === "" ? "" : `Diagnostic-Code: ${diagnostic}\n`}
--b
Content-Type: text/rfc822-headers

${returned}
--b--
`);
}

/** A complaint (RFC 5965). */
export const arf = (type: string, returned = "Subject: Spring\n"): Buffer =>
  mail(`From: feedback@isp.example.net
Subject: FW: Spring
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: text/plain

An abuse report.
--b
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Example/1.0
Version: 1

--b
Content-Type: message/rfc822

${returned}
Hello
--b--
`);

export const vacation = (
  subject = "Out of office: Spring",
  headers = "Auto-Submitted: auto-replied",
): Buffer =>
  mail(`From: Grace <grace@example.com>
Subject: ${subject}
${headers}

I am away. This mailbox does not exist any more: 550 5.1.1 user unknown.
`);

/** What Exchange sends when somebody deletes a mail unread (RFC 8098): its words repeat the subject. */
export const receipt = (
  subject: string,
  type = 'multipart/report; boundary="b";\n\treport-type="disposition-notification"',
): Buffer =>
  mail(`From: Grace <grace@example.com>
Subject: Not read: ${subject}
Content-Type: ${type}

--b
Content-Type: text/plain

Your message
  Subject: ${subject}
was deleted without being read.

--b
Content-Type: message/disposition-notification

Final-recipient: rfc822; grace@example.com
Disposition: automatic-action/MDN-sent-automatically; deleted

--b--
`);

const mail = (text: string): Buffer => Buffer.from(text.replaceAll(/\r?\n/g, "\r\n"));

export type SentMessage = { readonly email: string; readonly sender: string; readonly raw: string };

/**
 * Sends a campaign to these addresses, and returns the message that the relay got for each. Reports about it would
 * pause a campaign of the workspace before it is sent, so pausing is off.
 */
export async function sendTo(
  api: SendingApi,
  addresses: readonly string[],
): Promise<{ campaignId: string; listId: string; sent: ReadonlyMap<string, SentMessage> }> {
  await api.services.workspaces.changeSettings(api.workspaceId, { autoPause: false });
  const { listId } = await makeAudience(api, addresses);
  const before = api.relay.accepted.length;
  const campaignId = await makeCampaign(api, listId);
  const answer = await send(api, campaignId);
  if (answer.status !== 200) throw new Error(`not sent: ${answer.status} ${JSON.stringify(answer.body)}`);
  const failed = await failedOf(api, campaignId);
  const messages = api.relay.accepted.slice(before).map(({ mailFrom, rcptTo, raw }) => ({
    email: rcptTo[0] ?? "",
    sender: mailFrom,
    raw,
  }));
  const sent = new Map(messages.map((message) => [message.email, message]));
  if (sent.size + failed !== addresses.length) throw new Error(`sent to ${sent.size}, ${failed} failed`);
  return { campaignId, listId, sent };
}

/** Waits for the end of a send, because on a slow machine its call is answered before. Returns how many did not get it. */
async function failedOf(api: SendingApi, campaignId: string): Promise<number> {
  let report = await reportOf(api, campaignId);
  await eventually(async () => {
    report = await reportOf(api, campaignId);
    if (report.blocked !== null) throw new Error(`The campaign does not go on: ${report.blocked}`);
    return report.finishedAt !== null;
  });
  return report.failed + report.bounced + report.uncertain;
}

/** Delivers a mail as SMTP does, for an envelope recipient. */
export const overSmtp = (api: SendingApi, raw: Uint8Array, to: string): Promise<Taken> =>
  api.services.bounces.takeMail({ raw, way: "smtp", envelopeRecipients: [to], workspaceIds: null });

/** A mail that does not have the form of a report. */
export const plainMail = (
  subject: string,
  text: string,
  headers = "",
  from = "Grace <grace@example.com>",
): Buffer => mail(`From: ${from}\nTo: news@shop.example.org\nSubject: ${subject}\n${headers}\n${text}\n`);

/** The same, by a mail server. */
export const serverMail = (subject: string, text: string): Buffer =>
  mail(`From: MAILER-DAEMON@mx.example.net\nTo: news@shop.example.org\nSubject: ${subject}\n\n${text}\n`);

/** Delivers a mail as the workspace's mailbox does. */
export const fromMailbox = (api: SendingApi, raw: Uint8Array): Promise<Taken> =>
  api.services.bounces.takeMail({
    raw,
    way: "mailbox",
    envelopeRecipients: [],
    workspaceIds: [api.workspaceId],
  });
