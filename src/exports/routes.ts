import { Type } from "@sinclair/typebox";
import { parseContactFilter } from "#contacts/contact-filter.ts";
import { contactWireIn } from "#contacts/schema.ts";
import { AppError, unwrap } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import { route, type Reply, type Route } from "#http/routes/route.ts";
import { streamOf } from "#http/body/text-stream.ts";
import { FOREIGN_CHOICE } from "#selections/foreign-names.ts";
import { exportBody } from "#selections/schema.ts";
import { parseSelection } from "#selections/selection.ts";
import type { ExportedContact } from "./contact-lines.ts";
import { FOREIGN_FILTERS } from "./foreign-names.ts";
import { contactsCsv, contactsJsonLines, exportInclude, exportQuery } from "./schema.ts";
import type { ExportService } from "./service.ts";

const CSV = "text/csv";
const JSON_LINES = "application/x-ndjson";
const wire = contactWireIn(true);

const answer = {
  answers: { 200: null },
  content: { [CSV]: contactsCsv, [JSON_LINES]: contactsJsonLines },
  says: { 200: "The contacts." },
} as const;

/** /exports/contacts (docs/contract.md "Many at once"). */
export const exportRoutes = (exports: ExportService): Route[] => [
  route({
    method: "GET",
    path: "/exports/contacts",
    operationId: "getContactsExport",
    summary: "Export contacts",
    description:
      "Newest first, as a file that is sent while it is read; all filters have to fit. `POST /imports` reads the CSV back: " +
      "ask with `include=suppressed`, so that nobody who is suppressed here is mailed there. " +
      "A list or a segment of somebody else gives an empty file.",
    query: exportQuery,
    foreign: { query: FOREIGN_FILTERS },
    ...answer,
    handle: async (call) => {
      const { format = "", listId, segmentId, status, tag, include } = call.query;
      const isCsv = parseFormat(format);
      const filter = unwrap(parseContactFilter({ status, tag }));
      const tellsSuppressed = parseTells(include);
      const wanted = { listId: listId || null, segmentId: segmentId || null, filter, tellsSuppressed };
      return fileOf(exports, call.workspaceId, wanted, isCsv);
    },
  }),
  route({
    method: "POST",
    path: "/exports/contacts",
    operationId: "getChosenContactsExport",
    summary: "Export contacts that were chosen",
    description: "By their ids or by rules, which need not be saved as a segment. The same file as by GET.",
    query: Type.Object(exportInclude),
    body: exportBody,
    foreign: { body: FOREIGN_CHOICE },
    ...answer,
    errors: { NOT_FOUND: "The rules name a list, segment or campaign that is not of this workspace." },
    handle: async (call) => {
      const body = call.body();
      const isCsv = parseFormat(body.format ?? "");
      const selection = unwrap(parseSelection(body));
      const tellsSuppressed = parseTells(call.query.include);
      await exports.check(call.workspaceId, selection);
      return fileOf(exports, call.workspaceId, { ...selection, tellsSuppressed }, isCsv);
    },
  }),
];

const parseTells = (include: string | undefined): boolean =>
  unwrap(parseInclude(include, ["suppressed"])).has("suppressed");

/** Whether it is CSV. */
function parseFormat(format: string): boolean {
  if (!["", "csv", "jsonl"].includes(format))
    throw new AppError("VALIDATION_ERROR", "`format` must be `csv` or `jsonl`.");
  return format !== "jsonl";
}

function fileOf(
  exports: ExportService,
  workspaceId: string,
  wanted: Parameters<ExportService["csv"]>[1],
  isCsv: boolean,
): Reply {
  const texts = isCsv ? exports.csv(workspaceId, wanted) : exports.pieces(workspaceId, wanted, jsonLines);
  return {
    status: 200,
    stream: streamOf(texts),
    headers: {
      "Content-Type": isCsv ? `${CSV}; charset=utf-8` : JSON_LINES,
      "Content-Disposition": `attachment; filename="contacts.${isCsv ? "csv" : "jsonl"}"`,
    },
  };
}

const jsonLines = (piece: readonly ExportedContact[]): string =>
  piece
    .map((contact) => `${JSON.stringify({ ...wire(contact), suppressed: contact.suppressed })}\n`)
    .join("");
