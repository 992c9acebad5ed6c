import { unwrap } from "#core/errors/errors.ts";
import { KeptBytes } from "#core/kept-bytes.ts";
import { parseInclude } from "#core/request/include.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { noContent, ok, route, type Call, type Route } from "#http/routes/route.ts";
import { Type } from "@sinclair/typebox";
import { FOREIGN_FILTERS, FOREIGN_OPTIONS } from "./foreign-names.ts";
import { parseImportOptions } from "./import-options.ts";
import {
  IMPORT_EXTRAS,
  importInclude,
  importOptionsBody,
  importSchema,
  importWire,
  importWireWith,
  previewSchema,
  previewWire,
  rowMessageSchema,
  rowMessageWire,
  type ImportOptionsBody,
} from "./schema.ts";
import type { ImportService } from "./service.ts";

/** A preview reads this much of a file. */
const PREVIEW_BYTES = 1024 * 1024;
const previewQuery = Type.Object({
  include: Type.Optional(
    Type.String({
      enum: ["rows", "types", "rows,types"],
      description:
        "`rows`: show the first 20 as they will be, and why the import would be refused. `types`: show what the values of each column are.",
      examples: ["rows"],
    }),
  ),
});

const EXAMPLE = {
  name: "people.csv",
  type: "text/csv",
  text: "email,firstName,status\nada@example.com,Ada,SUBSCRIBED\n",
};
const page = Type.Object(pageQuery);

/** /imports (docs/contract.md "Many at once"). */
export const importRoutes = (imports: ImportService): Route[] => [...filesIn(imports), ...recordsOf(imports)];

const filesIn = (imports: ImportService): Route[] => [
  route({
    method: "POST",
    path: "/imports",
    operationId: "createImport",
    summary: "Import a file of contacts",
    description:
      "A CSV file of any size. The answer comes when it is received and can be read; it is then imported by itself, row by row " +
      "by the rules of `POST /contacts`, also over restarts. Files of listmonk, Mailchimp, Brevo, Keila and Substack are " +
      "recognized by their headers. Delimiters are recognized, and UTF-8, UTF-16 and Windows-1252; `encoding` names any other.",
    body: importOptionsBody,
    upload: { $id: "ImportUpload", description: "The file, and how to import it.", file: EXAMPLE },
    foreign: { body: FOREIGN_OPTIONS },
    answers: { 202: dataOf(importSchema) },
    says: { 202: "The file is received. `GET /imports/{id}` tells how far it is." },
    errors: { NOT_FOUND: "`listIds` names a list that is not this workspace's." },
    handle: async (call) => {
      const upload = await imports.receive(call.workspaceId);
      try {
        const { fileName } = await call.upload(upload.write);
        const started = await upload.start(fileName, optionsOf(call));
        return { status: 202, body: { data: importWire(started) } };
      } finally {
        await upload.discard();
      }
    },
  }),
  route({
    method: "POST",
    path: "/imports/preview",
    operationId: "showImportPreview",
    summary: "Look into a file before it is imported",
    description:
      "Reads the first MiB; nothing is kept. `suggested` is what a `mapping` could say of each column.",
    query: previewQuery,
    body: importOptionsBody,
    upload: { $id: "PreviewUpload", description: "The file or its beginning.", file: EXAMPLE },
    foreign: { body: FOREIGN_OPTIONS },
    answers: { 200: dataOf(previewSchema) },
    handle: async (call) => {
      const asked = unwrap(parseInclude(call.query.include, ["rows", "types"]));
      const start = new KeptBytes(PREVIEW_BYTES);
      const { fileName } = await call.upload(async (piece) => start.add(piece));
      const file = { fileName, beginning: start.buffer() };
      const shows = { hasRows: asked.has("rows"), hasTypes: asked.has("types") };
      return ok(previewWire(await imports.preview(call.workspaceId, file, optionsOf(call), shows)));
    },
  }),
];

const recordsOf = (imports: ImportService): Route[] => [
  route({
    method: "GET",
    path: "/imports",
    summary: "List imports",
    description: "Newest first, those that are over too.",
    query: Type.Object({ ...pageQuery, ...importInclude }),
    foreign: { query: FOREIGN_FILTERS },
    answers: { 200: pageOf(importSchema) },
    handle: async (call) => {
      const wire = wireFor(call.query);
      return call.page(await imports.page(call.workspaceId, call.pageRequest()), wire);
    },
  }),
  route({
    method: "GET",
    path: "/imports/:id",
    summary: "Read how far an import is",
    description: "The counts grow with every batch that is kept.",
    query: Type.Object(importInclude),
    answers: { 200: dataOf(importSchema) },
    handle: async (call) => {
      const found = await imports.find(call.workspaceId, call.params.id);
      return ok(wireFor(call.query)(found));
    },
  }),
  route({
    method: "GET",
    path: "/imports/:id/errors",
    summary: "List what is wrong with rows",
    description:
      "By line: the first 1,000 of an import, at most 500 of them about rows that were imported with a warning. " +
      "`failed` of the import counts all that failed.",
    query: page,
    foreign: { query: FOREIGN_FILTERS },
    answers: { 200: pageOf(rowMessageSchema) },
    handle: async (call) => {
      const { id } = call.params;
      await imports.find(call.workspaceId, id);
      return call.page(await imports.messages(call.workspaceId, id, call.pageRequest()), rowMessageWire);
    },
  }),
  route({
    method: "DELETE",
    path: "/imports/:id",
    summary: "Cancel an import",
    description: "What was kept stays; the rest of the file is not read.",
    answers: { 204: null },
    errors: { WRONG_STATE: "The import is over." },
    handle: async (call) => {
      await imports.cancel(call.workspaceId, call.params.id);
      return noContent();
    },
  }),
];

const wireFor = ({ include }: { readonly include?: string | undefined }) =>
  importWireWith(unwrap(parseInclude(include, IMPORT_EXTRAS)));

const optionsOf = (call: Pick<Call<unknown, ImportOptionsBody>, "body">) =>
  unwrap(parseImportOptions(call.body()));
