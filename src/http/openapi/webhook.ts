import type { TObject, TSchema } from "@sinclair/typebox";
import { mediaOf, parametersOf } from "./media.ts";
import type { Operation } from "./openapi.ts";
import type { SchemaWriter } from "./schemas.ts";

/** A request that this service makes to another service. */
export type WebhookOperation = {
  readonly operationId: string;
  /** Not that of a group of routes: generators of clients write a file for each, and the second replaces the first. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: TObject;
  readonly body: TSchema;
  /** What the status of an answer means to this service. */
  readonly answers: Readonly<Record<string, string>>;
};

export function webhookOf(webhook: WebhookOperation, schemas: SchemaWriter): Operation {
  const { operationId, tag, summary, description, headers, body, answers } = webhook;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [],
    parameters: parametersOf("header", headers, schemas),
    requestBody: {
      description: body.description ?? "",
      required: true,
      content: { "application/json": mediaOf(body, schemas) },
    },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, says]) => [status, { description: says }]),
    ),
  };
}
