import { parseContactFilter } from "#contacts/contact-filter.ts";
import type { Contact } from "#contacts/contact.ts";
import { contactWireIn } from "#contacts/schema.ts";
import { AppError, unwrap } from "#core/errors.ts";
import { route, type Route } from "#http/route.ts";
import { streamOf } from "#http/text-stream.ts";
import { FOREIGN_FILTERS } from "./foreign-names.ts";
import { contactsCsv, contactsJsonLines, exportQuery } from "./schema.ts";
import type { ExportService } from "./service.ts";

const CSV = "text/csv";
const JSON_LINES = "application/x-ndjson";
const wire = contactWireIn(true);

/** GET /exports/contacts (docs/contract.md "Many at once"). */
export const exportRoutes = (exports: ExportService): Route[] => [
  route({
    method: "GET",
    path: "/exports/contacts",
    operationId: "getContactsExport",
    summary: "Export contacts",
    description:
      "Newest first, as a file that is sent while it is read; all filters have to fit. `POST /imports` reads the CSV back. " +
      "A list or a segment of somebody else gives an empty file.",
    query: exportQuery,
    foreign: { query: FOREIGN_FILTERS },
    answers: { 200: null },
    content: { [CSV]: contactsCsv, [JSON_LINES]: contactsJsonLines },
    says: { 200: "The contacts." },
    handle: async (call) => {
      const { format = "", listId, segmentId, status, tag } = call.query;
      if (!["", "csv", "jsonl"].includes(format))
        throw new AppError("VALIDATION_ERROR", "`format` must be `csv` or `jsonl`.");
      const filter = unwrap(parseContactFilter({ status, tag }));
      const wanted = { listId: listId || null, segmentId: segmentId || null, filter };
      const isCsv = format !== "jsonl";
      const texts = isCsv
        ? exports.csv(call.workspaceId, wanted)
        : exports.pieces(call.workspaceId, wanted, jsonLines);
      return {
        status: 200,
        stream: streamOf(texts),
        headers: {
          "Content-Type": isCsv ? `${CSV}; charset=utf-8` : JSON_LINES,
          "Content-Disposition": `attachment; filename="contacts.${isCsv ? "csv" : "jsonl"}"`,
        },
      };
    },
  }),
];

const jsonLines = (piece: readonly Contact[]): string =>
  piece.map((contact) => `${JSON.stringify(wire(contact))}\n`).join("");
