import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_SETTINGS } from "./foreign-names.ts";
import { settingsChangeBody, settingsSchema } from "./schema.ts";
import type { WorkspaceService } from "./service.ts";
import { parseSettingsChange, settingsJson } from "#workspaces/settings/settings-json.ts";

/** /settings (docs/contract.md "Settings"; docs/decisions.md "Settings"). */
export function settingsRoutes(workspaces: WorkspaceService): Route[] {
  return [
    route({
      method: "GET",
      path: "/settings",
      operationId: "getSettings",
      summary: "Read the settings",
      description:
        "All of the workspace's settings. Secrets are not shown: a password inside `smtpUrl` or `bounceMailbox` is `***`, and of the others, such as `webhookSecret`, only whether there is one.",
      answers: { 200: dataOf(settingsSchema) },
      handle: async (call) => ok(settingsJson(await workspaces.settings(call.workspaceId))),
    }),
    route({
      method: "PATCH",
      path: "/settings",
      operationId: "updateSettings",
      summary: "Change settings",
      description:
        "Changes what is sent, all of it or nothing, from the next request on. A name that is no setting is `422`.",
      body: settingsChangeBody,
      foreign: { body: FOREIGN_SETTINGS },
      answers: { 200: dataOf(settingsSchema) },
      errors: {
        FORBIDDEN: "A setting of the operator of the service; it can only be set on the command line.",
      },
      handle: async (call) => {
        call.body();
        const change = unwrap(parseSettingsChange(call.sentBody));
        await workspaces.changeSettings(call.workspaceId, change);
        return ok(settingsJson(await workspaces.settings(call.workspaceId)));
      },
    }),
  ];
}
