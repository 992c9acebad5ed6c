import { Type, type Static, type TObject } from "@sinclair/typebox";
import { isoOrNull } from "#core/time/iso.ts";
import { documentedAs, exact, nullable, oneOf, pageQuery, ruled, timestamp } from "#http/envelope.ts";
import type { ReasonCount } from "#deliveries/delivery-record.ts";
import { CAMPAIGN_STATUSES, type Campaign } from "./campaign.ts";
import { fullCampaign, shownCampaign } from "./shown-campaign.ts";
import { SHOWN_STATES, shownState, type CampaignReport } from "#campaigns/report/report.ts";

const count = (description: string, example = 0) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const campaignStatus = oneOf(
  "CampaignStatus",
  CAMPAIGN_STATUSES,
  "SENT once every recipient has been processed.",
);
const id = Type.String({ description: "Opaque.", examples: ["cmp_01kafd8n4y2t6h9vr3g5mx7qwk"] });
const name = ruled(
  Type.String({ description: "One line, 1 to 200 characters.", examples: ["November letter"] }),
  { minLength: 1, maxLength: 200 },
);
const subject = ruled(
  Type.String({ description: "One line, 1 to 998 characters.", examples: ["News of November"] }),
  { minLength: 1, maxLength: 998 },
);
const body = ruled(
  Type.String({
    examples: ["<h1>News of November</h1><p>Dear readers, …</p>"],
    description: "The HTML of the mail, at most 524288 bytes of UTF-8. Stored, never returned.",
  }),
  { minLength: 1 },
);
const listId = nullable(
  Type.String({
    description: "A list of the workspace; null is none.",
    examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"],
  }),
);

export const newCampaignBody = Type.Object(
  { name, subject, body, listId: Type.Optional(listId) },
  {
    $id: "CampaignCreate",
    description: "The mail, and whom it goes to.",
  },
);
export const campaignChangeBody = Type.Partial(Type.Object({ name, subject, body, listId }), {
  $id: "CampaignUpdate",
  description:
    "Send only what changes. `listId` null removes the list; a SCHEDULED campaign then becomes a DRAFT.",
  examples: [{ subject: "News of November, and of snow" }],
});
export const scheduleBody = Type.Object(
  {
    scheduledAt: documentedAs(
      Type.String({
        format: "date-time",
        description: "ISO 8601 date and time, UTC if it has no offset, at least 30 seconds in the future.",
        examples: ["2030-11-22T09:00:00Z"],
      }),
    ),
  },
  { $id: "CampaignSchedule", description: "When it is to go out." },
);

export type NewCampaignBody = Static<typeof newCampaignBody>;
export type CampaignChangeBody = Static<typeof campaignChangeBody>;
export type ScheduleBody = Static<typeof scheduleBody>;

export const campaignQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional({ ...campaignStatus, description: "Only campaigns of this status." }),
  include: Type.Optional(
    Type.String({
      enum: ["delivered"],
      description: "`delivered`: show that figure too, in each `stat`.",
      examples: ["delivered"],
    }),
  ),
  q: Type.Optional(
    Type.String({ description: "Part of the name or the subject, in any case.", examples: ["november"] }),
  ),
});
const stat = Type.Object(
  {
    sent: count("Accepted by the relay.", 128),
    opened: count("Distinct recipients who opened it.", 64),
    clicked: count("Distinct recipients who followed a link.", 12),
    bounced: count("Distinct recipients whose address was refused for good.", 1),
    unsubscribed: count("Always 0: read opt-outs from the contacts, or from the campaign's report."),
    delivered: Type.Optional(
      count("With `include=delivered`: of `sent`, those that have not bounced since.", 127),
    ),
  },
  {
    ...exact,
    $id: "CampaignStat",
    description: "The results of a campaign's mail; null until the first message is accepted.",
  },
);

export const campaignSchema: TObject = Type.Object(
  {
    id,
    name,
    subject,
    status: { ...campaignStatus, examples: ["SENT"] },
    listId,
    scheduledAt: nullable(timestamp("When it is to go out; null where it is not scheduled.")),
    sentAt: nullable(timestamp("When every recipient had been processed.")),
    createdAt: timestamp("When the campaign was made."),
    stat: nullable(stat),
  },
  { ...exact, $id: "Campaign", description: "A one-off mail to a list or a segment." },
);

export const scheduledSchema: TObject = Type.Object(
  {
    id,
    name,
    status: Type.Literal("SCHEDULED", { description: "Always this." }),
    scheduledAt: timestamp("When it will go out."),
  },
  { ...exact, $id: "ScheduledCampaign", description: "The campaign and its time." },
);

const machine = Type.Object(
  {
    opened: count("Distinct recipients whose mail a machine opened: not in `opened` for that.", 20),
    clicked: count("Distinct recipients whose links a machine followed: not in `clicked` for that.", 5),
    suspected: count("Distinct recipients counted as people, though the timing looks like a machine's.", 3),
  },
  {
    ...exact,
    $id: "MachineActivity",
    description:
      "What mail scanners and privacy proxies did. Who says to be a machine (HEAD, prefetch, user agent) is one.",
  },
);

const reasonCount = Type.Object(
  {
    state: { ...oneOf("ReasonState", SHOWN_STATES, "In which state their mail is."), examples: ["BOUNCED"] },
    reason: Type.String({ description: "As of a delivery.", examples: ["USER_UNKNOWN"] }),
    count: count("How many recipients.", 1),
  },
  { ...exact, $id: "ReasonCount", description: "How many recipients are in a state for a reason." },
);

export const reportQuery = Type.Object({
  include: Type.Optional(
    Type.String({
      description:
        "`reasons`: count recipients by the reason of their state too. `paused`: say whether it is paused. Both with a comma between them.",
      examples: ["reasons"],
    }),
  ),
});

export const reportSchema: TObject = Type.Object(
  {
    planned: count(
      "Everyone the send was planned for: the sum of sent, bounced, failed, uncertain, remaining and skipped.",
      131,
    ),
    sent: count("Accepted by the relay, and not bounced since.", 127),
    failed: count("Refused, or given up; without the uncertain ones."),
    uncertain: count("Cut off at the last moment: may have arrived, and is never tried again."),
    remaining: count("Still owed."),
    skipped: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description:
        "How many, by reason: `EXCLUDED`, `SUPPRESSED`, `BLOCKED_DOMAIN`, `OPTED_OUT`, `CONTACT_GONE`, `STOPPED`.",
      examples: [{ SUPPRESSED: 3 }],
    }),
    opened: count("Distinct recipients who opened it.", 64),
    clicked: count("Distinct recipients who followed a link.", 12),
    bounced: count("Distinct recipients whose address was refused for good.", 1),
    unsubscribed: count("Distinct recipients who opted out by this campaign's link.", 2),
    machine,
    startedAt: nullable(timestamp("When everybody was planned for, and the first messages could go out.")),
    finishedAt: nullable(timestamp("When every recipient had been processed.")),
    blocked: nullable(
      Type.String({
        description: "Why nothing goes out although something is due; else null.",
        examples: [null],
      }),
    ),
    paused: Type.Optional(
      Type.Boolean({
        description:
          "With `include=paused`: whether it is paused, by a person or by itself, and waits to be resumed.",
        examples: [false],
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          "What is probably a mistake in the letter (of a draft too), although it would be sent: merge tags that nothing fills in, and HTML above the 102 KB that Gmail shows. Not there where there is nothing to warn about.",
        examples: [["The HTML comes to 131 KB with footer and tracked links."]],
      }),
    ),
    reasons: Type.Optional(
      Type.Array(reasonCount, {
        description: "With `include=reasons`: why recipients got nothing, or not yet; the most common first.",
      }),
    ),
    warmUp: Type.Optional(
      Type.Object(
        {
          limit: count("Campaign messages of the workspace that may go out today.", 200),
          left: count("How many of them have not gone out.", 35),
        },
        {
          ...exact,
          $id: "WarmUpShare",
          description:
            "Today's share of the workspace's warm-up. Not there where nothing is owed, or nothing is limited today.",
        },
      ),
    ),
  },
  { ...exact, $id: "CampaignReport", description: "How a campaign's send stands." },
);

export const wireCampaign = shownCampaign;

/** @param withDelivered whether the request asked for it by name */
export const campaignWireWith = (withDelivered: boolean) => (withDelivered ? fullCampaign : shownCampaign);

export const wireScheduled = ({ id: itsId, name: itsName, status, scheduledAt }: Campaign) => ({
  id: itsId,
  name: itsName,
  status,
  scheduledAt: isoOrNull(scheduledAt),
});

/** @param withPaused whether the request asked for it by name */
export const wireReport = ({ paused, ...report }: CampaignReport, withPaused = false) => ({
  ...report,
  startedAt: isoOrNull(report.startedAt),
  finishedAt: isoOrNull(report.finishedAt),
  ...(withPaused ? { paused } : {}),
});

export const wireReasons = (reasons: readonly ReasonCount[]) =>
  reasons.map(({ state, ...one }) => ({ state: shownState(state), ...one }));

export const sendBody = Type.Object(
  {
    excludeEmails: Type.Optional(
      Type.Array(Type.String(), {
        description: "Addresses to skip, in any case; as many as a body holds.",
        examples: [["grace@example.com"]],
      }),
    ),
    overrideQuietHours: Type.Optional(
      Type.Boolean({ description: "true sends inside the quiet hours too; else false.", examples: [false] }),
    ),
  },
  { $id: "CampaignSend", description: "May be left out." },
);

export type SendBody = Static<typeof sendBody>;

export const sendSchema = Type.Object(
  {
    sent: Type.Integer({ description: "Accepted by the relay during this call.", examples: [100] }),
    failed: Type.Integer({ description: "Refused during this call, or of unknown outcome.", examples: [0] }),
    remaining: Type.Integer({ description: "Still owed; goes out in the background.", examples: [28] }),
    complete: Type.Boolean({
      description: "False while recipients remain. Do not call again: read the campaign until it is SENT.",
      examples: [false],
    }),
  },
  { ...exact, $id: "CampaignProgress", description: "What this call did, and what is left to do." },
);
