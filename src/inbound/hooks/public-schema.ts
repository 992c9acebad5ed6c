import { Type } from "@sinclair/typebox";
import { dataOf } from "#http/envelope.ts";
import { errorSchema } from "#http/openapi/answers.ts";
import type { PublicAnswer, PublicOperation } from "#http/routes/public-route.ts";
import { PROVIDER_NAMES } from "./provider.ts";

/** The API document's description of the hooks of mail providers. */

const refused = (description: string): PublicAnswer => ({
  description,
  content: { "application/json": errorSchema },
});

const taken = dataOf(
  Type.Object(
    { reports: Type.Integer({ description: "How many reports were in it.", examples: [1] }) },
    { additionalProperties: false, $id: "TakenReports", description: "What a provider's request held." },
  ),
);

const event = Type.Unknown({
  $id: "ProviderEvent",
  description: "One event, or a list of them, as the provider sends it.",
  examples: [
    {
      RecordType: "Bounce",
      ID: 42,
      Type: "HardBounce",
      Email: "grace@example.com",
      Details: "550 5.1.1 user unknown",
    },
  ],
});

export const hookOperation: PublicOperation = {
  operationId: "submitProviderReports",
  tag: "service",
  summary: "Take a mail provider's reports",
  description:
    "Where a mail provider reports bounces, complaints and opt-outs; `postrider hook show PROVIDER` prints the address. " +
    "It answers when what the reports changed is durable. Reports that fit no message of the workspace change nothing. " +
    "A body has at most 4 MiB.",
  params: Type.Object({
    provider: Type.String({ enum: [...PROVIDER_NAMES], description: "Who reports.", examples: ["postmark"] }),
    secret: Type.String({
      description: "The workspace's `hookSecret`.",
      examples: ["5f1c0e7ab2d94c3f8e60b7a1d2c3e4f50718293a4b5c6d7e"],
    }),
  }),
  body: { "application/json": event },
  answers: {
    200: {
      description: "Understood, whether or not the reports fit a message.",
      content: { "application/json": taken },
    },
    400: refused("The body is not valid JSON."),
    403: refused("The signature is wrong or too old, or the provider's key is not set."),
    404: refused("An unknown provider, or a wrong secret."),
    408: refused("The body came too slowly."),
    413: refused("More than 4 MiB."),
    422: refused("It would take too long to read: nested too deep, or more than 10,000 events."),
    500: refused("It could not be kept now, or Amazon did not answer: send it again."),
  },
};
