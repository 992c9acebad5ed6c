import { Type, type Static, type TObject, type TProperties } from "@sinclair/typebox";
import { documentedAs, exact, nullable, oneOf, ruled } from "#http/envelope.ts";
import { DEFAULT_OPTIONS, type CampaignLetter, type CampaignOptions } from "./options.ts";

/** The wire shapes of a campaign's options (docs/contract.md "Options of a campaign"). */

const format = oneOf("CampaignFormat", ["html", "mjml"], "What the body is written in.");
const preheader = ruled(
  Type.String({
    description: "What mail clients show beside the subject: one line of at most 998 characters, or empty.",
    examples: ["Snow, and three books"],
  }),
  { maxLength: 998 },
);
const text = nullable(
  Type.String({
    description: "The text part, at most 524288 bytes of UTF-8; null is made from the HTML.",
    examples: ["Dear readers, …"],
  }),
);
const line = (description: string, example: string, limits: { maxLength?: number } = {}) =>
  nullable(ruled(Type.String({ description, examples: [example] }), limits));
const ids = (description: string, example: string) =>
  Type.Array(Type.String(), { description, examples: [[example]] });

const utmMember = (description: string, example: string) =>
  ruled(Type.String({ description, examples: [example] }), { maxLength: 200 });
export const UTM = {
  source: utmMember("`utm_source`; empty is not added.", "newsletter"),
  medium: utmMember("`utm_medium`; empty is not added.", "email"),
  campaign: utmMember("`utm_campaign`; empty is not added.", "november"),
};
const UTM_SAYS =
  "Added to `http` and `https` links that have no parameter of that name; null adds nothing. Each member is one line of at most 200 characters.";

const utmChange = Type.Object(
  {
    source: Type.Optional(documentedAs(UTM.source)),
    medium: Type.Optional(documentedAs(UTM.medium)),
    campaign: Type.Optional(documentedAs(UTM.campaign)),
  },
  { $id: "UtmUpdate", description: UTM_SAYS },
);

const OPTIONS = {
  format,
  personalize: Type.Boolean({
    description: "Whether subject, preheader, body and text are Liquid; else they are sent as written.",
    examples: [false],
  }),
  preheader,
  text,
  fromName: line("The sender's name; null is the workspace's.", "Ada", { maxLength: 200 }),
  fromEmail: line(
    "The sender's address; null is the workspace's. Its domain must be that of the workspace's, or one of the setting `senderDomains`.",
    "news@example.com",
  ),
  replyTo: line("Where answers go; null is the workspace's.", "office@example.com"),
  segmentId: line(
    "Only who is in this segment gets it; null asks for none.",
    "seg_01kafbzr1e6k3n8yd5w7pq2cmh",
  ),
  excludeListIds: ids(
    "Who is on one of these lists gets nothing: at most 100.",
    "list_01kafbzr1e6k3n8yd5w7pq2cmh",
  ),
  excludeSegmentIds: ids(
    "Who is in one of these segments gets nothing: at most 100.",
    "seg_01kafbzr1e6k3n8yd5w7pq2cmh",
  ),
  trackOpens: nullable(
    Type.Boolean({ description: "Whether opens are counted; null is the workspace's.", examples: [true] }),
  ),
  trackClicks: nullable(
    Type.Boolean({ description: "Whether links are counted; null is the workspace's.", examples: [true] }),
  ),
  topic: line("A word of at most 64 characters for your own sorting.", "monthly", { maxLength: 64 }),
} satisfies TProperties;

export const optionsChangeBody = Type.Partial(Type.Object({ ...OPTIONS, utm: nullable(utmChange) }), {
  $id: "CampaignOptionsUpdate",
  description: "Send only what changes. An empty text is none, like null.",
  examples: [{ preheader: "Snow, and three books", trackOpens: false }],
});
export type OptionsChangeBody = Static<typeof optionsChangeBody>;

const utm = Type.Object(UTM, { ...exact, $id: "Utm", description: UTM_SAYS });

export const optionsSchema: TObject = Type.Object(
  { ...OPTIONS, utm: nullable(utm) },
  {
    ...exact,
    $id: "CampaignOptions",
    description: "What is set of a campaign beside its own fields.",
    examples: [DEFAULT_OPTIONS],
  },
);

export const contentSchema: TObject = Type.Object(
  {
    subject: Type.String({ description: "As it is stored.", examples: ["News of November"] }),
    body: Type.String({
      description: "As it was written, in its format.",
      examples: ["<h1>News of November</h1><p>Dear readers, …</p>"],
    }),
    format,
    preheader,
    text,
  },
  { ...exact, $id: "CampaignContent", description: "What a campaign's author wrote." },
);

/** The members in the order of the API document, whatever order was stored. */
export const wireOptions = (options: CampaignOptions): CampaignOptions => ({
  format: options.format,
  personalize: options.personalize,
  preheader: options.preheader,
  text: options.text,
  fromName: options.fromName,
  fromEmail: options.fromEmail,
  replyTo: options.replyTo,
  segmentId: options.segmentId,
  excludeListIds: options.excludeListIds,
  excludeSegmentIds: options.excludeSegmentIds,
  trackOpens: options.trackOpens,
  trackClicks: options.trackClicks,
  utm: options.utm,
  topic: options.topic,
});

export const wireContent = ({ subject, html, options }: CampaignLetter) => ({
  subject,
  body: html,
  format: options.format,
  preheader: options.preheader,
  text: options.text,
});
