import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, oneOf, timestamp } from "#http/envelope.ts";
import { WAYS } from "./incoming.ts";
import { unreadIdOf, type ShownUnreadMail, type UnreadMailEntry } from "./unread.ts";

/** The wire shapes of mails that could not be read (docs/contract.md "Bounces to look at"). */

const members = {
  id: Type.String({ description: "Opaque.", examples: ["bounce_12"] }),
  way: oneOf("BounceWay", WAYS, "How it came: by `smtp`, out of the `mailbox`, or by a provider's hook."),
  from: Type.String({
    description: "Who sent it, as it says; empty where it does not say it.",
    examples: ["MAILER-DAEMON@mx.example.net"],
  }),
  subject: Type.String({ description: "What it says it is about.", examples: ["Undelivered mail"] }),
  sizeBytes: Type.Integer({ minimum: 0, description: "How large it is.", examples: [4120] }),
  receivedAt: timestamp("When it came."),
};

export const bounceSchema = Type.Object(members, {
  ...exact,
  $id: "Bounce",
  description: "A mail that looks like a report about failed mail, and that Postrider could not read.",
});

export const bounceMailSchema = Type.Object(
  {
    ...members,
    text: Type.String({
      description: "What people read in it, at most 65,536 characters; empty where it cannot be taken apart.",
      examples: ["Your message could not be delivered."],
    }),
    source: Type.String({
      description: "The mail as it came, at most 1 MiB. What is no UTF-8 in it is replaced.",
      examples: ["From: MAILER-DAEMON@mx.example.net\r\nSubject: Undelivered mail\r\n\r\nSorry."],
    }),
  },
  { ...exact, $id: "BounceMail", description: "One of them, with its text." },
);

export const bounceWire = ({ number, way, from, subject, sizeBytes, receivedAt }: UnreadMailEntry) => ({
  id: unreadIdOf(number),
  way,
  from,
  subject,
  sizeBytes,
  receivedAt: isoOf(receivedAt),
});

export const bounceMailWire = (mail: ShownUnreadMail) => ({
  ...bounceWire(mail),
  text: mail.text,
  source: mail.source,
});
