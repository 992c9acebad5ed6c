import { Type, type Static } from "@sinclair/typebox";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { exact, nullable, oneOf, openObject, timestamp } from "#http/envelope.ts";
import { NOT_MAILED_CODES, type NotMailed } from "./mailable.ts";
import { MOMENT_KINDS } from "./moment.ts";
import type { DescribedMoment } from "./sentence.ts";

/** The wire shapes of what is known of one person (docs/contract.md "One person's story"). */

const notMailedSchema = Type.Object(
  {
    code: oneOf("NotMailedCode", NOT_MAILED_CODES, "The reason, for programs."),
    message: Type.String({
      description: "The reason, for people.",
      examples: ["Their address is suppressed (hard bounce)."],
    }),
    since: nullable(timestamp("Since when; null where that is not known.")),
  },
  { ...exact, $id: "NotMailed", description: "A reason why campaigns pass a contact by." },
);

export const mailableSchema = Type.Object(
  {
    mailable: Type.Boolean({ description: "Whether campaigns reach them now.", examples: [false] }),
    reasons: Type.Array(notMailedSchema, {
      description: "Every reason why not, each code once; none where they are mailed.",
    }),
  },
  { ...exact, $id: "Mailable", description: "Whether campaigns reach a contact, and why not." },
);

export const momentSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque; it never changes.", examples: ["delivery_4711"] }),
    at: timestamp("When it happened."),
    kind: oneOf("MomentKind", MOMENT_KINDS, "What sort of thing happened."),
    text: Type.String({
      description: "One plain sentence. Days in it are those of the workspace's time zone.",
      examples: ["Campaign Hello was delivered"],
    }),
    details: openObject("What it is made of, by its kind.", {
      mail: "campaign",
      campaignId: "cmp_01kafd8s2v6x0p4zq7m3rt9bwh",
      name: "Hello",
      state: "SENT",
      reason: null,
      smtpReply: "250 2.0.0 Ok",
    }),
  },
  { ...exact, $id: "Moment", description: "Something that happened to a contact, or that they did." },
);

export const momentWire = ({
  id,
  at,
  kind,
  text,
  details,
}: DescribedMoment): Static<typeof momentSchema> => ({
  id,
  at: isoOf(at),
  kind,
  text,
  details,
});

export const mailableWire = (reasons: readonly NotMailed[]): Static<typeof mailableSchema> => ({
  mailable: reasons.length === 0,
  reasons: reasons.map(({ code, message, since }) => ({ code, message, since: isoOrNull(since) })),
});
