import type { KeptKind } from "#bounces/report.ts";
import type { ConsentRecord } from "#contacts/consent/consent-entry.ts";
import type { Instant } from "#core/time/clock.ts";
import { replyLine } from "#core/smtp-reply.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import { localTime } from "#workspaces/local-time.ts";
import { detailsOf } from "./details.ts";
import type { Moment, SentMail } from "./moment.ts";
import { SUPPRESSION_WORDS } from "./suppression-words.ts";

/** The present of the reader of a sentence: days are those of the workspace's zone. */
export type Today = { readonly now: Instant; readonly zone: string };

/** A moment as it is shown. `details` has what it is made of, for programs. */
export type DescribedMoment = Pick<Moment, "id" | "at" | "kind"> & {
  readonly text: string;
  readonly details: JsonObject;
};

export function describeMoment(moment: Moment, today: Today): DescribedMoment {
  const { id, at, kind } = moment;
  return { id, at, kind, text: sentenceOf(moment, today), details: detailsOf(moment) };
}

/** One plain sentence that says what happened. */
function sentenceOf(moment: Moment, today: Today): string {
  switch (moment.kind) {
    case "consent":
      return consentSentence(moment);
    case "suppression":
      return `Not mailed: suppressed since ${dayOf(moment.at, today)}, ${SUPPRESSION_WORDS[moment.reason]}`;
    case "list":
      return `${moment.action === "JOINED" ? "Joined" : "Left"} the list ${moment.name}`;
    case "delivery":
      return deliverySentence(moment);
    case "bounce":
      return bounceSentence(moment);
    case "opened":
      return `${titleOf(moment.mail)} was opened`;
    case "clicked":
      return `${titleOf(moment.mail)}: a link was clicked`;
    case "event":
      return `Event ${moment.name} was recorded${amountOf(moment)}`;
    case "enrollment":
      return enrollmentSentence(moment);
  }
}

type Of<Kind extends Moment["kind"]> = Extract<Moment, { readonly kind: Kind }>;

const BY: Readonly<Record<ConsentRecord["source"], string>> = {
  api: "by an API call",
  form: "by a form",
  confirmation: "by a confirmation link",
  unsubscribe: "by an unsubscribe link",
  bounce: "because mail bounced",
  complaint: "by a complaint",
  admin: "by an admin",
  preferences: "on the preferences page",
  import: "according to an imported file",
};

function consentSentence({ action, source, reason, listId }: Of<"consent">): string {
  if (listId) return `${action === "GIVEN" ? "Agreed to" : "Declined"} the mail of one list, ${BY[source]}`;
  const what = action === "GIVEN" ? "Agreed to marketing mail" : "Taken out of marketing mail";
  return `${what}, ${BY[source]}${reason ? `: ${reason}` : ""}`;
}

const SKIPPED: Readonly<Record<string, string>> = {
  EXCLUDED: "excluded from this send",
  SUPPRESSED: "the address was suppressed",
  BLOCKED_DOMAIN: "the domain was blocked",
  OPTED_OUT: "not subscribed",
  CONTACT_GONE: "the contact was gone or had another address",
  STOPPED: "the send was stopped",
};

function deliverySentence(moment: Of<"delivery">): string {
  const { mail, state, reason } = moment;
  const title = titleOf(mail);
  switch (state) {
    case "sent":
      return `${title} was delivered`;
    case "failed":
      return `${title} could not be delivered${replied(moment)}`;
    case "uncertain":
      return `${title} may have been delivered: nobody knows`;
    case "skipped":
      return `${title} was not sent: ${SKIPPED[reason ?? ""] ?? "skipped"}`;
  }
}

const REPORTED: Readonly<Record<KeptKind, string>> = {
  delayed: "is delayed",
  policy: "was refused",
  soft: "could not be delivered for now",
  hard: "bounced",
  complaint: "was reported as spam",
  auto_reply: "was answered automatically",
};

function bounceSentence(moment: Of<"bounce">): string {
  const { mail, report } = moment;
  if (report === null) return `${titleOf(mail)} bounced${replied(moment)}`;
  return `${titleOf(mail)} ${REPORTED[report.kind]}${report.words === "" ? "" : `: ${report.words}`}`;
}

function titleOf(mail: SentMail): string {
  switch (mail.kind) {
    case "campaign":
      return mail.name === null ? "A campaign that is deleted now" : `Campaign ${mail.name}`;
    case "automation":
      return mail.name === null
        ? "Mail of an automation that is deleted now"
        : `Mail of automation ${mail.name}`;
    case "transactional":
      return "A transactional message";
    case "confirmation":
      return mail.name === null ? "A confirmation mail" : `Confirmation mail of form ${mail.name}`;
  }
}

/** The relay's own words if there are any, otherwise ours. */
function replied({ reply, reason }: Of<"bounce" | "delivery">): string {
  if (reply !== null) return `: ${replyLine(reply)}`;
  return reason === null ? "" : `: ${reason.toLowerCase().replaceAll("_", " ")}`;
}

function amountOf({ valueCents, currency }: Of<"event">): string {
  if (valueCents === null) return "";
  const [sign, cents] = [valueCents < 0 ? "-" : "", String(Math.abs(valueCents)).padStart(3, "0")];
  const amount = `${sign}${cents.slice(0, -2)}.${cents.slice(-2)}`;
  return `: ${amount}${currency === null ? "" : ` ${currency}`}`;
}

function enrollmentSentence({ action, name, error }: Of<"enrollment">): string {
  if (action === "ENTERED") return `Entered automation ${name}`;
  if (action === "COMPLETED") return `Completed automation ${name}`;
  return `Failed in automation ${name}${error === null ? "" : `: ${error}`}`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** `3 May`, with the year unless it is this year. */
function dayOf(at: Instant, { now, zone }: Today): string {
  const [year, month, day] = localTime(at, zone).day.split("-");
  const shown = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === localTime(now, zone).day.split("-")[0] ? shown : `${shown} ${year}`;
}
