import { present } from "#core/present.ts";
import { Type } from "@sinclair/typebox";
import { notFound, unwrap } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import { isoOf } from "#core/time/iso.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, ok, route, type Route } from "#http/routes/route.ts";
import { parseKeyName } from "./key-name.ts";
import { keyIncludes, keySchema, keyView, newKeyBody, newKeySchema, revokedKeySchema } from "./schema.ts";
import { FOREIGN_KEY_FIELDS, FOREIGN_KEY_FILTERS } from "./foreign-names.ts";
import { parseScope } from "./scope.ts";
import type { KeyService } from "./service.ts";

const asksForScope = (query: { readonly include: string | undefined }): boolean =>
  unwrap(parseInclude(query.include, ["scope"])).has("scope");

/** /keys (docs/contract.md "API keys"; docs/decisions.md "Keys"). */
export function keyRoutes(keys: KeyService): Route[] {
  return [
    route({
      method: "GET",
      path: "/keys",
      summary: "List API keys",
      description: "Newest first, revoked ones too. The keys themselves are not kept and cannot be read.",
      query: Type.Object({ ...pageQuery, ...keyIncludes }),
      foreign: { query: FOREIGN_KEY_FILTERS },
      answers: { 200: pageOf(keySchema) },
      handle: async (call) => {
        const view = keyView(asksForScope(call.query));
        return call.page(await keys.page(call.workspaceId, call.pageRequest()), view);
      },
    }),
    route({
      method: "POST",
      path: "/keys",
      summary: "Create an API key",
      description: "The answer is the only place where the whole key is shown.",
      query: Type.Object(keyIncludes),
      body: newKeyBody,
      foreign: { body: FOREIGN_KEY_FIELDS },
      answers: { 201: dataOf(newKeySchema) },
      handle: async (call) => {
        const body = call.body();
        const name = unwrap(parseKeyName(body.name));
        const scope = unwrap(parseScope(body.scope));
        const view = keyView(body.scope !== undefined || asksForScope(call.query));
        const { key, ...made } = await keys.create(call.workspaceId, name, scope);
        return created({ ...view(made), key });
      },
    }),
    route({
      method: "DELETE",
      path: "/keys/:id",
      operationId: "revokeKey",
      summary: "Revoke an API key",
      description: "It opens nothing from the next request on. A second time answers the first revocation.",
      answers: { 200: dataOf(revokedKeySchema) },
      handle: async (call) => {
        const id = call.params.id;
        const revoked = await keys.revoke(call.workspaceId, id);
        if (revoked === null) throw notFound(`The key ${id}`);
        return ok({ id, revokedAt: isoOf(present(revoked.revokedAt, "time of a revocation")) });
      },
    }),
  ];
}
