import type { Refusal } from "#core/errors/errors.ts";
import * as lookKinds from "./look-setting-values.ts";
import * as mailKinds from "./mail-setting-values.ts";
import { checkRelays } from "./relay-setting.ts";
import * as secretKinds from "./secret-setting-values.ts";
import * as kinds from "./setting-values.ts";

/**
 * One setting of a workspace. The command line, the API, its document and docs/operating.md are made from
 * these entries: to add a setting, add an entry, and run `bun run gen`. In the console it also needs a label
 * (`setting-fields.ts` in `console/ui/texts`) and a field in one of the sections.
 */
export type Setting<T> = {
  readonly kind: kinds.ValueKind<T>;
  /** Its value until it is set. */
  readonly initial: T;
  readonly example: T;
  /** One sentence for people: what it does. */
  readonly says: string;
  /** `operator`: the person who runs the service. The API shows it, and only the command line sets it. */
  readonly setBy: "workspace" | "operator";
  /**
   * What the API does not show: the whole value (it says whether there is one), or the passwords in its URLs
   * (`***`, which sent back means the stored one).
   */
  readonly secret?: "whole" | "passwords";
  /** Checked when it is set, not when it is read: what was stored before stays readable. */
  check?(value: T): Refusal | null;
};

type Entry<T> = Omit<Setting<T>, "kind" | "setBy">;

const setting = <T>(kind: kinds.ValueKind<T>, entry: Entry<NoInfer<T>>): Setting<T> => ({
  kind,
  setBy: "workspace",
  ...entry,
});

const operatorSetting = <T>(kind: kinds.ValueKind<T>, entry: Entry<NoInfer<T>>): Setting<T> => ({
  kind,
  setBy: "operator",
  ...entry,
});

/** Texts are `""` if nothing was set; `null` means "off". */
export const SETTINGS = {
  name: setting(kinds.filledLine(200), {
    initial: "",
    example: "Ada and Daughters",
    says: "What the workspace is called.",
  }),
  mailingAddress: setting(kinds.lines(500), {
    initial: "",
    example: "1 Example Street\nSpringfield",
    says: "The postal address in the footer of every campaign; campaigns are refused without one.",
  }),
  fromName: setting(kinds.line(200), {
    initial: "",
    example: "Ada",
    says: "The sender's name.",
  }),
  fromEmail: setting(mailKinds.emailAddress, {
    initial: "",
    example: "ada@example.com",
    says: "The sender's address; campaigns are refused without one.",
  }),
  replyTo: setting(mailKinds.emailAddress, {
    initial: "",
    example: "office@example.com",
    says: "Where answers go, if not to `fromEmail`.",
  }),
  senderDomains: setting(mailKinds.hostNames, {
    initial: [],
    example: ["news.example.com"],
    says: "The domains that a campaign's own `fromEmail` may have, beside the domain of the workspace's.",
  }),
  timezone: setting(kinds.timeZone, {
    initial: "UTC",
    example: "Europe/Berlin",
    says: "The time zone of quiet hours, and of the days and months that are counted.",
  }),
  quietHours: setting(kinds.quietHoursOrOff, {
    initial: null,
    example: { fromMinute: 1320, toMinute: 420 },
    says: "The hours of the day in which no campaign starts and automations wait.",
  }),
  dailyCap: setting(kinds.countOrOff, {
    initial: null,
    example: 5000,
    says: "The most campaign messages in a day.",
  }),
  monthlyLimit: operatorSetting(kinds.countOrOff, {
    initial: null,
    example: 100_000,
    says: "The most messages of every kind in a month.",
  }),
  language: setting(lookKinds.language, {
    initial: "en",
    example: "de",
    says: "The language of public pages, of the words below marketing mail, and of confirmations.",
  }),
  brandColor: setting(lookKinds.colour, {
    initial: "",
    example: "#0b6e4f",
    says: "The colour of buttons and links on public pages and in confirmations.",
  }),
  logoUrl: setting(lookKinds.imageAddress, {
    initial: "",
    example: "https://www.example.com/logo.png",
    says: "The image at the top of public pages and confirmations.",
  }),
  doubleOptIn: setting(kinds.onOff, {
    initial: false,
    example: true,
    says: "Whether people who sign up with a form have to confirm by mail first.",
  }),
  allowedOrigins: setting(kinds.origins, {
    initial: [],
    example: ["https://example.com"],
    says: "The web sites whose pages may submit forms; without any, every site may.",
  }),
  warmUp: setting(kinds.warmUpOrOff, {
    initial: null,
    example: { start: 200, growthPercent: 30, days: 21, from: "2026-12-01" },
    says: "How many campaign messages go out on each of a new sender's first days; the others wait for the next day.",
  }),
  domainLimits: setting(kinds.domainLimitsOrOff, {
    initial: null,
    example: [{ domains: ["gmail.com", "googlemail.com"], perHour: 2000, connections: 5 }],
    says: "How many messages in an hour, and how many at the same time, campaigns and automations may send to some domains.",
  }),
  autoPause: setting(kinds.onOff, {
    initial: true,
    example: true,
    says: "Whether campaigns pause by themselves if too many messages of the last 7 days bounced or got complaints.",
  }),
  sending: setting(kinds.onOff, {
    initial: true,
    example: true,
    says: "Whether mail leaves at all: the workspace's own switch.",
  }),
  suspended: operatorSetting(kinds.onOff, {
    initial: false,
    example: false,
    says: "Whether the operator has stopped all mail of the workspace.",
  }),
  trackOpens: setting(kinds.onOff, {
    initial: true,
    example: true,
    says: "Whether mail carries a pixel that counts opens.",
  }),
  trackClicks: setting(kinds.onOff, {
    initial: true,
    example: true,
    says: "Whether links in mail are counted.",
  }),
  allowPrivateWebhooks: operatorSetting(kinds.onOff, {
    initial: false,
    example: false,
    says: "Whether webhooks may go to private and loopback addresses.",
  }),
  webhookSecret: setting(secretKinds.signingSecret, {
    initial: "",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    says: "What the webhooks of automations are signed with (Standard Webhooks); made with the workspace.",
    secret: "whole",
  }),
  dkimDomain: setting(mailKinds.hostName, {
    initial: "",
    example: "example.com",
    says: "The domain that signs mail (DKIM).",
  }),
  dkimSelector: setting(mailKinds.dkimSelector, {
    initial: "",
    example: "mail2026",
    says: "The name of the DKIM key in the DNS.",
  }),
  dkimPrivateKeyFile: operatorSetting(kinds.line(1000), {
    initial: "",
    example: "/var/lib/postrider/dkim/example.com.pem",
    says: "The file of the DKIM key on the server.",
  }),
  smtpUrl: setting(mailKinds.smtpUrls, {
    initial: "",
    example: "smtps://user:***@smtp.example.com",
    says: "The workspace's own relays, in place of the service's.",
    secret: "passwords",
    check: checkRelays,
  }),
  bounceDomain: setting(mailKinds.bounceDomain, {
    initial: "",
    example: "bounces.example.com",
    says: "The domain to which reports of failed mail come; without one they go to `fromEmail`.",
  }),
  inboundComplaints: setting(kinds.onOff, {
    initial: false,
    example: true,
    says: "Whether mail to abuse@ and fbl@ of `bounceDomain` is read as complaints, if `INBOUND_SMTP` takes mail.",
  }),
  bounceMailbox: setting(mailKinds.mailboxUrl, {
    initial: "",
    example: "imaps://bounces%40example.com:***@imap.example.com/INBOX",
    says: "A mailbox that is read for bounces and complaints; what was read is filed away or deleted.",
    secret: "passwords",
    check: mailKinds.checkMailbox,
  }),
  hookSecret: setting(secretKinds.hookSecret, {
    initial: "",
    example: "5f1c0e7ab2d94c3f8e60b7a1d2c3e4f50718293a4b5c6d7e",
    says: "The last part of the address to which a mail provider reports; made with the workspace.",
    secret: "whole",
  }),
  mailgunSigningKey: setting(secretKinds.signingKey, {
    initial: "",
    example: "3f0c1a2b4d5e6f708192a3b4c5d6e7f8",
    says: "Mailgun's HTTP webhook signing key; its reports are refused without it.",
    secret: "whole",
  }),
  sendgridPublicKey: setting(secretKinds.ecPublicKey, {
    initial: "",
    example:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==",
    says: "The verification key of SendGrid's signed event webhook; its reports are refused without it.",
  }),
  resendSigningSecret: setting(secretKinds.signingSecret, {
    initial: "",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    says: "The signing secret of Resend's webhook; its reports are refused without it.",
    secret: "whole",
  }),
};
