import type { JsonObject } from "#core/request/json-value.ts";
import { replyLine } from "#core/smtp-reply.ts";
import type { Moment, SentMail } from "./moment.ts";

/** The parts of a moment, for programs. Each kind always has the same members. */
export function detailsOf(moment: Moment): JsonObject {
  switch (moment.kind) {
    case "consent": {
      const {
        email,
        action,
        source,
        formId,
        clientAddress,
        userAgent,
        reason = null,
        listId = null,
      } = moment;
      return { email, action, source, formId, clientAddress, userAgent, reason, listId };
    }
    case "suppression":
      return { email: moment.email, reason: moment.reason, source: moment.source };
    case "list":
      return { action: moment.action, listId: moment.listId, name: moment.name };
    case "delivery":
      return { ...mailDetails(moment.mail), state: moment.state.toUpperCase(), ...outcome(moment) };
    case "bounce":
      return { ...mailDetails(moment.mail), ...outcome(moment), report: moment.report };
    case "opened":
    case "clicked":
      return mailDetails(moment.mail);
    case "event": {
      const { name, properties, valueCents, currency } = moment;
      return { name, properties, valueCents, currency };
    }
    case "enrollment": {
      const { action, enrollmentId, automationId, name, error } = moment;
      return { action, enrollmentId, automationId, name, error };
    }
  }
}

/** Of what kind the message was, and the ids of that kind. */
function mailDetails({ kind, ...mail }: SentMail): JsonObject {
  return { mail: kind, ...mail };
}

const outcome = ({ reason, reply }: Extract<Moment, { kind: "delivery" | "bounce" }>): JsonObject => ({
  reason,
  smtpReply: reply === null ? null : replyLine(reply),
});
