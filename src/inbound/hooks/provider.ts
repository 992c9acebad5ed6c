import type { ProviderReport, ReportWay } from "#bounces/incoming.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { readBrevo } from "./providers/brevo.ts";
import { readMailgun } from "./providers/mailgun.ts";
import { readMailjet } from "./providers/mailjet.ts";
import { readPostmark } from "./providers/postmark.ts";
import { readResend } from "./providers/resend.ts";
import { readSendgrid } from "./providers/sendgrid.ts";
import { readSes } from "./providers/ses.ts";
import { readSparkpost } from "./providers/sparkpost.ts";
import { isSignedBySendgrid, isSignedBySvix, type SignedBytes } from "./signatures.ts";

export type Provider = Exclude<ReportWay, "smtp" | "mailbox">;

type Signature = {
  /** The setting without which its reports are refused. */
  readonly key: "mailgunSigningKey" | "sendgridPublicKey" | "resendSigningSecret";
  /** Whether the headers sign the bytes. Null: a token in the body is signed (`checkMailgun`). */
  readonly isSigned: ((signed: SignedBytes, key: string, now: Instant) => boolean) | null;
};

type ProviderEntry = {
  readonly name: string;
  /** The reports of failure, complaint or opt-out in what a provider sent. Everything else is ignored. */
  read(body: unknown): readonly ProviderReport[];
  /** Without it, whoever knows the address may report. */
  readonly signature?: Signature;
  /** Where to enter the address at the provider, and what to switch on. */
  readonly advice: string;
};

/** The supported providers, by their name in the address. */
export const PROVIDERS: Readonly<Record<Provider, ProviderEntry>> = {
  ses: {
    name: "Amazon SES",
    read: readSes,
    advice:
      "In SES, under the identity's Notifications, publish Bounce and Complaint to an SNS topic, with the original headers; subscribe the address to that topic (HTTPS). It is confirmed by itself.",
  },
  postmark: {
    name: "Postmark",
    read: readPostmark,
    advice:
      "In Postmark, under the message stream's Webhooks, add it for Bounce (with the bounce content), Spam Complaint and Subscription Change.",
  },
  mailgun: {
    name: "Mailgun",
    read: readMailgun,
    signature: { key: "mailgunSigningKey", isSigned: null },
    advice:
      "In Mailgun, under Sending, Webhooks, add it for Permanent Failure, Spam Complaints and Unsubscribes. The key is the HTTP webhook signing key there.",
  },
  sendgrid: {
    name: "SendGrid",
    read: readSendgrid,
    signature: { key: "sendgridPublicKey", isSigned: isSignedBySendgrid },
    advice:
      "In SendGrid, under Settings, Mail Settings, Event Webhooks, add it for Bounced, Dropped, Spam Reports and Unsubscribes, and switch on the Signed Event Webhook. The key is its verification key.",
  },
  brevo: {
    name: "Brevo",
    read: readBrevo,
    advice:
      "In Brevo, under Transactional, Settings, Webhook, add it for hard and soft bounces, invalid, blocked, complaint and unsubscribed.",
  },
  mailjet: {
    name: "Mailjet",
    read: readMailjet,
    advice: "In Mailjet, under Account, Event notifications, add it for bounce, blocked, spam and unsub.",
  },
  sparkpost: {
    name: "SparkPost",
    read: readSparkpost,
    advice:
      "In SparkPost, under Configuration, Webhooks, add it for Bounce, Out-of-Band, Spam Complaint, Policy Rejection and Unsubscribe events, without authentication.",
  },
  resend: {
    name: "Resend",
    read: readResend,
    signature: { key: "resendSigningSecret", isSigned: isSignedBySvix },
    advice:
      "In Resend, under Webhooks, add it for email.bounced, email.complained, email.failed and email.suppressed. The key is the signing secret shown there.",
  },
};

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly Provider[];

export const isProvider = (name: string): name is Provider => Object.hasOwn(PROVIDERS, name);

/** The address at which a workspace takes a provider's reports. */
export const hookAddress = (
  baseUrl: string,
  provider: Provider,
  { hookSecret }: Pick<Settings, "hookSecret">,
) => `${baseUrl}/hooks/${provider}/${hookSecret}`;
