import { readAnyJson } from "#http/body/any-json.ts";
import { BODY_BYTES_MAX } from "#http/body/request-body.ts";
import { publicRoute, type PublicRoute } from "#http/routes/public-route.ts";
import { hookOperation } from "./public-schema.ts";
import type { HookService } from "./service.ts";

/** /hooks (docs/contract.md "Ways in for reports"): where mail providers send their reports. */
export const hookRoutes = (hooks: HookService): PublicRoute[] => [
  publicRoute({
    method: "POST",
    path: "/hooks/:provider/:secret",
    documented: hookOperation,
    async handle({ request, body, params }) {
      const hook = await hooks.open(params.provider, params.secret);
      body.comesFrom(hook.workspaceId);
      const bytes = await body.bytes(BODY_BYTES_MAX);
      const { headers } = request;
      const reports = await hooks.take(hook, { headers, bytes, json: () => readAnyJson(bytes) });
      return Response.json({ data: { reports } });
    },
  }),
];
