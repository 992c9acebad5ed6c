import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import { pageOf, pageQuery } from "#http/envelope.ts";
import { route, type Route } from "#http/routes/route.ts";
import { FOREIGN_AUDIT_FILTERS } from "./foreign-names.ts";
import { auditFilters, auditIncludes, auditSchema, auditView } from "./schema.ts";
import type { AuditService } from "./service.ts";

/** /audit (docs/contract.md "Who did what"; docs/decisions.md "People and sessions"). */
export function auditRoutes(audit: AuditService): Route[] {
  return [
    route({
      method: "GET",
      path: "/audit",
      operationId: "listAudit",
      summary: "Who did what",
      description:
        "Newest first, of the last year: sign-ins, sends, exports, imports, deletions, settings, keys and people. Reading is not recorded.",
      query: Type.Object({ ...pageQuery, ...auditFilters, ...auditIncludes }),
      foreign: { query: FOREIGN_AUDIT_FILTERS },
      answers: { 200: pageOf(auditSchema) },
      handle: async (call) => {
        const { workspaceId, query } = call;
        const included = unwrap(parseInclude(query.include, ["names"]));
        const page = await audit.page(workspaceId, { what: query.what || null }, call.pageRequest());
        const names = included.has("names") ? await audit.names(workspaceId, page.items) : null;
        return call.page(page, auditView(names));
      },
    }),
  ];
}
