import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, timestamp } from "#http/envelope.ts";
import { STEPS } from "#stats/steps.ts";
import type { TimelineStep } from "./outcome-figures.ts";

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const link = Type.Object(
  {
    url: Type.String({
      description: "Where the link leads, as it stood in the message.",
      examples: ["https://shop.example.org/november"],
    }),
    clicks: count("Every click, of everybody.", 41),
    recipients: count("Distinct recipients who followed it.", 35),
  },
  { ...exact, $id: "CampaignLink", description: "A link of a campaign, and who followed it." },
);

export const timelineQuery = Type.Object({
  step: Type.Optional(
    Type.String({
      enum: [...STEPS],
      default: "day",
      description: "An hour or a day of the workspace's time zone.",
    }),
  ),
});

const timelineStep = Type.Object(
  {
    at: timestamp("When the step begins."),
    sent: count("Messages that the relay accepted.", 120),
    opened: count("Recipients who opened it, each once, when it was first.", 64),
    clicked: count("Recipients who followed a link, each once, when it was first.", 12),
    bounced: count("Messages that were refused because of their address.", 1),
    unsubscribed: count("Recipients who opted out by this campaign's link.", 2),
  },
  { ...exact, $id: "CampaignStep", description: "What became of a campaign in one step." },
);

export const linksSchema = Type.Array(link, { description: "The links, the most clicked first." });
export const timelineSchema = Type.Array(timelineStep, { description: "Every step, the oldest first." });

export const wireStep = ({ at, ...figures }: TimelineStep) => ({ at: isoOf(at), ...figures });
