import { Type, type Static } from "@sinclair/typebox";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { documentedAs, exact, nullable, oneOf, openObject, timestamp } from "#http/envelope.ts";
import type { CsvFormat } from "./csv/csv-format.ts";
import { ENCODINGS } from "./csv/encoding.ts";
import { IMPORT_STATES, shareOf, type Import, type RowMessage } from "./import.ts";
import { COLUMN_TYPES } from "#imports/rows/column-type.ts";
import type { Preview, PreviewRow } from "#imports/rows/preview.ts";
import { SOURCE_NAMES } from "#imports/sources/source.ts";

/** The wire shapes of imports (docs/contract.md "Many at once"). */

/** The rules check which texts are allowed: TypeBox passes over `enum`. */
const text = (example: string, description: string, words: { enum?: readonly string[] } = {}) =>
  Type.Optional(Type.String({ ...words, description, examples: [example] }));

const columnType = oneOf(
  "ImportColumnType",
  COLUMN_TYPES,
  "What the values of a column are kept as. A preview says it with `include=types`.",
);

/** The part `options`, as JSON. */
export const importOptionsBody = Type.Object(
  {
    listIds: Type.Optional(
      Type.Array(Type.String(), {
        description: "Lists that everybody who may join lists is put on.",
        examples: [["list_01kafbzr1e6k3n8yd5w7pq2cmh"]],
      }),
    ),
    status: text(
      "SUBSCRIBED",
      `For rows without one: ${CONTACT_STATUSES.join(", ")}. SUBSCRIBED says that these people agreed to marketing mail.`,
      { enum: CONTACT_STATUSES },
    ),
    mapping: Type.Optional(
      documentedAs(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: `By header, what the column becomes: \`email\`, \`firstName\`, \`lastName\`, \`name\`, \`tags\` (\`a;b\`), \`tagsByComma\` (\`a, b\`), \`status\`, \`consentAt\`, \`consentIp\`, \`confirmedAt\`, \`confirmedIp\`, \`attributes.<name>\`, who left (\`unsubscribed\`, \`bounced\`), who gets mail (\`subscribed\`, \`optedIn\`), or null for nothing. The second column of one name is called \`Name (2)\`. Left out, columns are recognized by their headers; so are the others of one that only leaves columns out or says who left. Columns that say who left are read also where it does not name them.`,
            examples: [{ "E-Mail": "email", City: "attributes.city", Notes: null }],
          },
        ),
      ),
    ),
    unknownColumns: text("attributes", "What becomes of other columns: `ignore` (default) or `attributes`.", {
      enum: ["ignore", "attributes"],
    }),
    existing: text("keep", "What becomes of contacts that are there: `update` (default) or `keep`.", {
      enum: ["update", "keep"],
    }),
    types: Type.Optional(
      documentedAs(
        Type.Object(
          {},
          {
            additionalProperties: columnType,
            description: `By header, what the values of a column that becomes an attribute are kept as, and in which order a time of consent has day and month: ${COLUMN_TYPES.map((type) => `\`${type}\``).join(", ")}. \`number\` reads \`1,234.50\`, \`number-comma\` reads \`1.234,50\`; \`boolean\` reads yes and no in many languages; \`date\` reads \`2026-12-31\`, \`date-dmy\` \`31.12.2026\`, \`date-mdy\` \`12/31/2026\`, each with or without a time, and keeps ISO 8601. A cell that is none stays text, and is listed. Left out, every value is text.`,
            examples: [{ Revenue: "number-comma", Birthday: "date-dmy" }],
          },
        ),
      ),
    ),
    startAutomations: Type.Optional(
      Type.Boolean({
        description: "Whether new subscribers and gained tags start LIVE automations; else they do not.",
        examples: [false],
      }),
    ),
    delimiter: text(";", "The character between cells: `,`, `;`, a tab or `|`. If left out, it is detected."),
    encoding: text(
      "windows-1250",
      "How the file's letters are written. If left out, UTF-8, UTF-16 and Windows-1252 are recognized.",
      { enum: ENCODINGS },
    ),
  },
  {
    $id: "ImportOptions",
    description: "How the file is to be imported. All of it is optional.",
    examples: [{ status: "SUBSCRIBED", unknownColumns: "attributes" }],
  },
);

export type ImportOptionsBody = Static<typeof importOptionsBody>;

/** What the routes that read imports show if `include` asks for it. */
export const IMPORT_EXTRAS = ["share", "format"] as const;
type ImportExtra = (typeof IMPORT_EXTRAS)[number];

export const importInclude = {
  include: Type.Optional(
    Type.String({
      enum: ["share", "format", "share,format"],
      description: "`share`: show how much of the file is read. `format`: show how it is read.",
      examples: ["share"],
    }),
  ),
};

const formatProperties = {
  delimiter: Type.String({ description: "The character between cells.", examples: [","] }),
  encoding: oneOf("ImportEncoding", ENCODINGS, "How its letters are written."),
};

export const importSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["imp_01kafe6s2k8t4p9zv1m3rb5wch"] }),
    fileName: Type.String({ description: "The name that the client sent.", examples: ["people.csv"] }),
    state: oneOf(
      "ImportState",
      IMPORT_STATES,
      "RUNNING until the file is read to its end; then DONE. FAILED if it cannot be read, CANCELLED if it was stopped.",
    ),
    share: Type.Optional(
      nullable(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            "With `include=share`: how much of the file is read; null where its lines were not counted.",
          examples: [0.4],
        }),
      ),
    ),
    format: Type.Optional(
      Type.Object(formatProperties, {
        ...exact,
        $id: "ImportFormat",
        description: "With `include=format`: how the file is read.",
      }),
    ),
    rows: Type.Integer({ description: "How many rows were read so far.", examples: [1200] }),
    created: Type.Integer({ description: "How many made a new contact.", examples: [1000] }),
    updated: Type.Integer({ description: "How many changed a known one.", examples: [150] }),
    skipped: Type.Integer({
      description: "People who opted out or bounced before and stay so; with `keep`, everybody known.",
      examples: [40],
    }),
    failed: Type.Integer({ description: "How many have an error.", examples: [10] }),
    createdAt: timestamp("When the file was handed over."),
    finishedAt: nullable(timestamp("When it ended; null while it is RUNNING.")),
    error: nullable(
      Type.String({
        description: "Why it FAILED, else null.",
        examples: ["Its file is gone from the data directory."],
      }),
    ),
  },
  { ...exact, $id: "Import", description: "A file of contacts on its way in." },
);

export const rowMessageSchema = Type.Object(
  {
    line: Type.Integer({ description: "The line on which the row begins, from 1.", examples: [17] }),
    message: Type.String({
      description: "What is wrong with it, or what of it was left out.",
      examples: [
        "the status \"SUBSCRIPED\" is none of PENDING, SUBSCRIBED, UNSUBSCRIBED, BOUNCED: write one of them, or have the column read as another tool's (`mapping`, --map 'status=subscribed')",
      ],
    }),
  },
  { ...exact, $id: "ImportError", description: "Something about a row." },
);

const columnSchema = Type.Object(
  {
    header: Type.String({ description: "As the first row names it.", examples: ["Email Address"] }),
    samples: Type.Array(Type.String(), {
      description: "Its first values, each once.",
      examples: [["ada@example.com"]],
    }),
    suggested: nullable(
      Type.String({ description: "What `mapping` could make of it; null: nothing.", examples: ["email"] }),
    ),
    type: Type.Optional(columnType),
  },
  { ...exact, $id: "ImportColumn", description: "A column of the file." },
);

const previewRowSchema = Type.Object(
  {
    line: Type.Integer({ description: "The line on which the row begins, from 1.", examples: [2] }),
    contact: nullable(
      Type.Object(
        {
          email: Type.String({ description: "The address.", examples: ["ada@example.com"] }),
          firstName: nullable(Type.String({ description: "Null: stays as it is.", examples: ["Ada"] })),
          lastName: nullable(Type.String({ description: "Null: stays as it is.", examples: ["Lovelace"] })),
          tags: nullable(
            Type.Array(Type.String(), { description: "Null: stay as they are.", examples: [["newsletter"]] }),
          ),
          status: Type.String({ description: "A contact status.", examples: ["SUBSCRIBED"] }),
          attributes: openObject("Those that are set.", { city: "London" }),
          consentAt: nullable(timestamp("When they agreed, by the file.")),
        },
        { ...exact, $id: "ImportPreviewContact", description: "What the row says of a contact." },
      ),
    ),
    message: nullable(
      Type.String({ description: "Why it will fail, or what will be left out of it.", examples: [null] }),
    ),
  },
  {
    ...exact,
    $id: "ImportPreviewRow",
    description: "A row as it will be imported; `contact` null: it will fail.",
  },
);

export const previewSchema = Type.Object(
  {
    source: nullable(
      oneOf("ImportSource", SOURCE_NAMES, "The tool that wrote the file, where it is recognized; else null."),
    ),
    ...formatProperties,
    columns: Type.Array(columnSchema, { description: "In the order of the file." }),
    refusal: Type.Optional(
      nullable(
        Type.String({
          description: "With `include=rows`: why `POST /imports` would refuse this; null where it would not.",
          examples: [null],
        }),
      ),
    ),
    rows: Type.Optional(
      Type.Array(previewRowSchema, { description: "With `include=rows`: the first 20, as they will be." }),
    ),
  },
  { ...exact, $id: "ImportPreview", description: "What a file holds, before it is imported." },
);

export const importWire = ({ createdAt, finishedAt, ...one }: Import) => ({
  id: one.id,
  fileName: one.fileName,
  state: one.state,
  rows: one.rows,
  created: one.created,
  updated: one.updated,
  skipped: one.skipped,
  failed: one.failed,
  createdAt: isoOf(createdAt),
  finishedAt: isoOrNull(finishedAt),
  error: one.error,
});

/** With what `include` asks for. */
export const importWireWith = (asked: ReadonlySet<ImportExtra>) => (one: Import) => ({
  ...importWire(one),
  ...(asked.has("share") ? { share: shareOf(one) } : {}),
  ...(asked.has("format") ? { format: formatWire(one.format) } : {}),
});

const formatWire = ({ delimiter, encoding }: CsvFormat) => ({ delimiter, encoding });

export const rowMessageWire = ({ line, message }: RowMessage) => ({ line, message });

export const previewWire = ({ source, format, columns, first }: Preview) => ({
  source,
  ...formatWire(format),
  columns,
  ...(first === null ? {} : { refusal: first.refusal, rows: first.rows.map(previewRowWire) }),
});

const previewRowWire = ({ line, contact, message }: PreviewRow) => ({
  line,
  contact: contact && { ...contact, consentAt: isoOrNull(contact.consentAt) },
  message,
});
