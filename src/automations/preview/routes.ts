import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_MAIL_PREVIEW_FIELDS } from "#automations/foreign-names.ts";
import { parseMailPreview } from "./preview-input.ts";
import type { MailPreviewService } from "./preview-service.ts";
import { mailPreviewBody, mailPreviewSchema } from "./schema.ts";

/** POST /automations/{id}/preview (docs/contract.md "Automations"). */
export const mailPreviewRoutes = (previews: MailPreviewService): Route[] => [
  route({
    method: "POST",
    path: "/automations/:id/preview",
    operationId: "showAutomationPreview",
    summary: "See the mail of a step as one person would get it",
    description:
      "Filled in with this contact's values, and without an event. Errors are what a run would fail of; what else stands in a mail's way is not looked at. Nothing is sent or counted.",
    body: mailPreviewBody,
    foreign: { body: FOREIGN_MAIL_PREVIEW_FIELDS },
    answers: { 200: dataOf(mailPreviewSchema) },
    errors: { NOT_FOUND: "No such automation in this workspace, or `contactId` is no contact of it." },
    handle: async (call) => {
      const automation = await previews.automation(call.workspaceId, call.params.id);
      const request = unwrap(parseMailPreview(call.body()));
      return ok(await previews.preview(automation, request));
    },
  }),
];
