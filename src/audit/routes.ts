import { Type } from "@sinclair/typebox";
import { pageOf, pageQuery } from "#http/envelope.ts";
import { route, type Route } from "#http/route.ts";
import { FOREIGN_AUDIT_FILTERS } from "./foreign-names.ts";
import { auditFilters, auditSchema, auditWire } from "./schema.ts";
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
      query: Type.Object({ ...pageQuery, ...auditFilters }),
      foreign: { query: FOREIGN_AUDIT_FILTERS },
      answers: { 200: pageOf(auditSchema) },
      handle: async (call) => {
        const filter = { what: call.query.what || null };
        return call.page(await audit.page(call.workspaceId, filter, call.pageRequest()), auditWire);
      },
    }),
  ];
}
