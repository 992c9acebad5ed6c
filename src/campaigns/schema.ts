import { Type, type TObject } from "@sinclair/typebox";
import { isoOf, isoOrNull, nullable, pageQuery, timestamp } from "#http/envelope.ts";
import { CAMPAIGN_STATUSES, type Campaign } from "./campaign.ts";
import { SHOWN_STATES, type CampaignReport } from "./report.ts";

const exact = { additionalProperties: false } as const;
const count = (description: string) => Type.Integer({ minimum: 0, description });
const oneOf = (names: readonly string[]) => Type.Union(names.map((name) => Type.Literal(name)));

const name = Type.String({ description: "One line, 1 to 200 characters." });
const subject = Type.String({ description: "One line, 1 to 998 characters." });
const body = Type.String({
  description: "The HTML of the mail, at most 524288 bytes of UTF-8. Stored, never returned.",
});
const listId = nullable(Type.String({ description: "A list of the workspace." }));

export const newCampaignBody = Type.Object({ name, subject, body, listId: Type.Optional(listId) });
export const campaignChangeBody = Type.Partial(Type.Object({ name, subject, body, listId }), {
  description:
    "Send only what changes. `listId` null takes the list off; a SCHEDULED campaign becomes a DRAFT by that.",
});
export const scheduleBody = Type.Object({
  scheduledAt: Type.String({
    description: "ISO 8601 date and time, UTC where it has no offset, at least 30 seconds in the future.",
  }),
});

export const campaignQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.String({ description: `One of ${CAMPAIGN_STATUSES.join(", ")}.` })),
  q: Type.Optional(Type.String({ description: "Part of the name or the subject, in any case." })),
});
export const deliveryQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(Type.String({ description: `One of ${SHOWN_STATES.join(", ")}.` })),
});

const stat = Type.Object(
  {
    sent: count("Accepted by the relay."),
    opened: count("Distinct recipients."),
    clicked: count("Distinct recipients."),
    bounced: count("Distinct recipients."),
    unsubscribed: count("Always 0: read opt-outs from the contacts, or from the campaign's report."),
  },
  exact,
);

export const campaignSchema: TObject = Type.Object(
  {
    id: Type.String(),
    name,
    subject,
    status: oneOf(CAMPAIGN_STATUSES),
    listId,
    scheduledAt: nullable(timestamp()),
    sentAt: nullable(timestamp("When every recipient had been processed.")),
    createdAt: timestamp(),
    stat: nullable(stat),
  },
  exact,
);

export const scheduledSchema: TObject = Type.Object(
  { id: Type.String(), name, status: Type.Literal("SCHEDULED"), scheduledAt: timestamp() },
  exact,
);

export const reportSchema: TObject = Type.Object(
  {
    planned: count(
      "Everyone the send was planned for: the sum of sent, bounced, failed, uncertain, remaining and skipped.",
    ),
    sent: count("Accepted by the relay, and not bounced since."),
    failed: count("Refused, or given up; without the uncertain ones."),
    uncertain: count("Cut off at the last moment: may have arrived, and is never tried again."),
    remaining: count("Still owed."),
    skipped: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: "How many, by reason.",
    }),
    opened: count("Distinct recipients."),
    clicked: count("Distinct recipients."),
    bounced: count("Distinct recipients."),
    unsubscribed: count("Distinct recipients who opted out by this campaign's link."),
    startedAt: nullable(timestamp()),
    finishedAt: nullable(timestamp()),
    blocked: nullable(Type.String({ description: "Why nothing goes out although something is due." })),
  },
  exact,
);

export const deliverySchema: TObject = Type.Object(
  {
    contactId: nullable(Type.String({ description: "Null when the contact was deleted since." })),
    email: Type.String(),
    state: oneOf(SHOWN_STATES),
    reason: nullable(Type.String()),
    smtpReply: nullable(Type.String({ description: "What the relay said last." })),
    attempts: count("Attempts that counted."),
    sentAt: nullable(timestamp()),
  },
  exact,
);

export const wireCampaign = (campaign: Campaign) => ({
  ...campaign,
  scheduledAt: isoOrNull(campaign.scheduledAt),
  sentAt: isoOrNull(campaign.sentAt),
  createdAt: isoOf(campaign.createdAt),
});

export const wireScheduled = ({ id, name: itsName, status, scheduledAt }: Campaign) => ({
  id,
  name: itsName,
  status,
  scheduledAt: isoOrNull(scheduledAt),
});

export const wireReport = (report: CampaignReport) => ({
  ...report,
  startedAt: isoOrNull(report.startedAt),
  finishedAt: isoOrNull(report.finishedAt),
});

export const sendBody = Type.Object({
  excludeEmails: Type.Optional(Type.Array(Type.String(), { description: "Addresses to skip, in any case." })),
  overrideQuietHours: Type.Optional(Type.Boolean({ description: "true sends inside the quiet hours too." })),
});

export const sendSchema = Type.Object(
  {
    sent: Type.Integer({ description: "Accepted by the relay during this call." }),
    failed: Type.Integer({ description: "Refused during this call, or of unknown outcome." }),
    remaining: Type.Integer({ description: "Still owed; goes out in the background." }),
    complete: Type.Boolean({
      description: "False while recipients remain. Do not call again: read the campaign until it is SENT.",
    }),
  },
  { additionalProperties: false },
);
