import { rootOf } from "#core/addresses/base-url.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_PREVIEW_FIELDS } from "./foreign-names.ts";
import { previewBody, previewSchema, previewWire } from "./schema.ts";
import type { PreviewLetters } from "./service.ts";

/** /letters/preview (docs/contract.md "Looking at a letter"). @param baseUrl where the public pages are */
export function previewLetterRoutes(letters: PreviewLetters, baseUrl: string): Route[] {
  const root = rootOf(baseUrl);
  return [
    route({
      method: "POST",
      path: "/letters/preview",
      operationId: "showLetter",
      summary: "Look at a letter's HTML",
      description:
        "For programs that show letters to people: an address for a frame, for ten minutes. No script in the letter runs there, no " +
        "form is sent, and it cannot see the page around it. Nothing is kept beyond that.",
      body: previewBody,
      foreign: { body: FOREIGN_PREVIEW_FIELDS },
      answers: { 200: dataOf(previewSchema) },
      handle: async (call) => ok(previewWire(await letters.keep(call.workspaceId, call.body().html), root)),
    }),
  ];
}
