import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { route, type Route } from "#http/routes/route.ts";
import { parseIdempotency } from "#transactional/request/idempotency.ts";
import { sendAnswerHeaders, sendBody, sendHeaders, sendSchema } from "./schema.ts";
import { parseSendRequest } from "#transactional/request/send-request.ts";
import { FOREIGN_FIELDS, FOREIGN_INSIDE } from "./foreign-names.ts";
import type { TransactionalService } from "./service.ts";

/** POST /send (docs/contract.md "Transactional send"; docs/decisions.md "Transactional send"). */
export function sendRoutes(transactional: TransactionalService): Route[] {
  return [
    route({
      method: "POST",
      path: "/send",
      operationId: "sendMessage",
      summary: "Send a message that a person's own action asked for",
      description:
        "Answers when everybody's message has ended: at once as a rule, after 10 to 20 seconds where the relay does not take it. " +
        "A burst waits in a queue for the relay's connections; a message that gets none within 20 seconds is `FAILED` with `RELAY_BUSY`. " +
        "With an `Idempotency-Key` header a repeated request gets the first answer again for 24 hours, and nothing is sent twice. " +
        "After a 402, 403, 404, 422 or 502 the same key may be used again.",
      headers: sendHeaders,
      body: sendBody,
      foreign: { body: FOREIGN_FIELDS, inside: FOREIGN_INSIDE },
      jsonBody: "strict",
      answers: { 200: dataOf(sendSchema) },
      answerHeaders: sendAnswerHeaders,
      errors: {
        QUOTA_EXCEEDED: "The send would pass the monthly limit. Nothing was sent.",
        NOT_FOUND: "`templateId` is no template of this workspace.",
        FORBIDDEN: "The workspace is suspended, or sending is turned off.",
        CONFLICT:
          "The `Idempotency-Key` is not acceptable, was used with another body, or its request is still running.",
        SEND_FAILED: "Every attempted recipient definitely failed.",
      },
      handle: async (call) => {
        const request = unwrap(parseSendRequest(call.body()));
        const keyed = unwrap(parseIdempotency(call.request.headers, call.sentBody));
        const { answer, repeated } = await transactional.send(call.workspaceId, request, keyed);
        return { status: 200, body: { data: answer }, ...(repeated ? { headers: REPLAYED } : {}) };
      },
    }),
  ];
}

const REPLAYED = { "Idempotency-Replayed": "true" };
