import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_PREVIEW_FIELDS, FOREIGN_TEST_FIELDS } from "#campaigns/foreign-names.ts";
import { previewBody, previewSchema, testBody, testSchema, wireTest } from "./schema.ts";
import type { PreviewService } from "./preview-service.ts";
import { parseTestAddresses } from "./test-input.ts";

const NO_CONTACT = "No such campaign in this workspace, or `contactId` is no contact of it.";

/** Looking at a campaign before it is sent (docs/contract.md "Campaigns"). */
export const previewRoutes = (previews: PreviewService): Route[] => [
  route({
    method: "POST",
    path: "/campaigns/:id/preview",
    operationId: "showCampaignPreview",
    summary: "See what one person would get",
    description:
      "Errors are what a send would refuse of the letter; what else stands in its way is not looked at. Warnings are about " +
      "what its author wrote. Nothing is sent or counted.",
    body: previewBody,
    foreign: { body: FOREIGN_PREVIEW_FIELDS },
    answers: { 200: dataOf(previewSchema) },
    errors: { NOT_FOUND: NO_CONTACT },
    handle: async (call) => {
      const readContact = () => call.body().contactId ?? null;
      return ok(await previews.preview(call.workspaceId, call.params.id, readContact));
    },
  }),
  route({
    method: "POST",
    path: "/campaigns/:id/test",
    operationId: "sendCampaignTest",
    summary: "Send a test to your own inbox",
    description:
      "The subject begins with `[Test] `. It counts in no stat and in no limit of the workspace, its unsubscribe link changes " +
      "nobody, and it goes out in quiet hours and for a SENT campaign too. Suppressed addresses are skipped.",
    body: testBody,
    foreign: { body: FOREIGN_TEST_FIELDS },
    answers: { 200: dataOf(testSchema) },
    errors: {
      NOT_FOUND: NO_CONTACT,
      FORBIDDEN: "The workspace is suspended, or sending is turned off.",
      RATE_LIMITED: "More than 60 addresses in an hour. Nothing was sent.",
    },
    handle: async (call) => {
      const readTest = () => {
        const { to, contactId = null } = call.body();
        return { addresses: unwrap(parseTestAddresses(to)), contactId };
      };
      return ok(wireTest(await previews.test(call.workspaceId, call.params.id, readTest)));
    },
  }),
];
