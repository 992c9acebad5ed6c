import { MESSAGE_FIELD } from "#mail/letter/message-id.ts";
import type { MailParts } from "./mail-parts.ts";
import { groupsOf, headerOf, type Fields } from "./fields.ts";
import { ADDRESS, storedAddress } from "./report-address.ts";

/** Everything in a report that may show which message it is about. All of it is untrusted text. */
export type Clues = {
  /** Addresses that the report itself was delivered to. */
  readonly deliveredTo: readonly string[];
  /** Message-IDs and values of our own field in the returned mail. */
  readonly messageIds: readonly string[];
  /** Addresses of the returned mail's envelope sender and of its opt-outs. Ours are signed too. */
  readonly returnAddresses: readonly string[];
  /** The returned mail's `Feedback-ID`; null if there is none. */
  readonly feedbackId: string | null;
  /** The returned mail is itself a report. We send none, so it is not about a message of ours. */
  readonly isAboutReport: boolean;
};

const DELIVERED_TO = new Set([
  "delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "to",
  "x-rcpt-to",
]);
const ADDRESSES_MAX = 20;
const IDS_MAX = 20;
const ADDRESSES = new RegExp(ADDRESS, "gi");

/** Returned headers inside a text, even quoted. Our own Message-IDs are signed, so they may be anywhere. */
const QUOTED_ID = new RegExp(`^[> \\t]{0,8}(?:Message-ID|${MESSAGE_FIELD}):[ \\t]*([^\\s]{1,300})`, "gim");
const QUOTED_FEEDBACK = /^[> \t]{0,8}Feedback-ID:[ \t]*([^\s]{1,300})/im;

export function cluesOf(mail: MailParts): Clues {
  const returned = mail.returned.map(headerOf);
  const quoted = [...mail.text.matchAll(QUOTED_ID)].map(([, id = ""]) => id);
  const named = returned.flatMap((header) => [
    header.get("message-id"),
    header.get(MESSAGE_FIELD.toLowerCase()),
  ]);
  const feedbackId = returned.map((header) => header.get("feedback-id")).find((id) => id !== undefined);
  return {
    deliveredTo: deliveredTo(mail),
    messageIds: [...named, ...quoted].filter((id) => id !== undefined).slice(0, IDS_MAX),
    returnAddresses: addressesIn([
      ...mail.feedback.flatMap(groupsOf).map((fields) => fields.get("original-mail-from")),
      ...returned.flatMap((header) => [header.get("return-path"), header.get("list-unsubscribe")]),
    ]),
    feedbackId: feedbackId ?? QUOTED_FEEDBACK.exec(mail.text)?.[1] ?? null,
    isAboutReport: returned.some(isReport),
  };
}

function deliveredTo({ headers }: MailParts): string[] {
  return addressesIn(headers.filter(([name]) => DELIVERED_TO.has(name)).map(([, value]) => value));
}

function addressesIn(values: readonly (string | undefined)[]): string[] {
  const found = values.flatMap((value = "") =>
    [...value.slice(0, 10_000).matchAll(ADDRESSES)].map(([address]) => address),
  );
  return [...new Set(found.flatMap(storedAddress))].slice(0, ADDRESSES_MAX);
}

/** Whether a mail declares itself to be a report or an automatic answer. We send none. */
function isReport(header: Fields): boolean {
  const type = (header.get("content-type") ?? "").toLowerCase();
  const submitted = (header.get("auto-submitted") ?? "").toLowerCase();
  return (
    type.startsWith("multipart/report") ||
    submitted.startsWith("auto-replied") ||
    header.get("return-path") === "<>"
  );
}
