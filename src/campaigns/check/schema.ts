import { Type } from "@sinclair/typebox";
import { exact, nullable, pageQuery } from "#http/envelope.ts";
import { LEFT_OUT } from "./left-out.ts";

/** The wire shapes of a dry run (docs/contract.md "Looking before sending"). */

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const checkSchema = Type.Object(
  {
    recipients: count("How many would get it.", 128),
    skipped: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: "How many would be left out, by reason: `EXCLUDED`, `SUPPRESSED`, `BLOCKED_DOMAIN`.",
      examples: [{ EXCLUDED: 2, SUPPRESSED: 3 }],
    }),
    refusal: nullable(
      Type.Object(
        {
          code: Type.String({ description: "As in an error.", examples: ["VALIDATION_ERROR"] }),
          message: Type.String({
            description: "What stands in the way, and what to do.",
            examples: ["It is quiet hours in this workspace."],
          }),
        },
        {
          ...exact,
          $id: "CampaignRefusal",
          description: "What a send would answer in place of sending; null: it would start.",
        },
      ),
    ),
    estimatedSeconds: count(
      "How long it would take: by the pace of the workspace's last campaigns, its warm-up and its limits of domains.",
      3,
    ),
  },
  { ...exact, $id: "CampaignCheck", description: "What a send would do now." },
);

export const leftOutQuery = Type.Object({
  ...pageQuery,
  reason: Type.Optional(
    Type.String({
      enum: [...LEFT_OUT],
      description:
        "As `skipped` of the dry run names it; left out: all of these. Or `NOT_SUBSCRIBED`: on the list and in the segment, but with another status.",
      examples: ["SUPPRESSED"],
    }),
  ),
});
