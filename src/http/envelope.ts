import {
  Type,
  type ArrayOptions,
  type IntegerOptions,
  type StringOptions,
  type TInteger,
  type TNull,
  type TSchema,
  type TString,
  type TUnion,
  type TUnknown,
} from "@sinclair/typebox";

/** Shapes that the routes of every feature share (docs/contract.md "Response conventions"). */

/** An object of an answer: it has these members, and no others. */
export const exact = { additionalProperties: false } as const;

/**
 * A single object, or a list without pages. Named after what it carries: `ContactResponse`,
 * `ProblemListResponse`.
 */
export const dataOf = (schema: TSchema): TSchema =>
  Type.Object({ data: schema }, { ...exact, ...namedAfter(schema, "Response") });

const paginationSchema = Type.Object(
  {
    total: Type.Integer({
      description: "Every item that matches the filters, not only this page.",
      examples: [1],
    }),
    limit: Type.Integer({ description: "The limit that was used.", examples: [20] }),
    hasMore: Type.Boolean({ description: "Whether another page follows.", examples: [false] }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: "Pass it as `after`; null on the last page.",
      examples: [null],
    }),
  },
  { ...exact, $id: "Pagination", description: "Where this page stands in its list." },
);

/** One page of a list, named after its items: `ContactPage`. */
export const pageOf = (schema: TSchema): TSchema =>
  Type.Object(
    { data: Type.Array(schema, { description: "The items, newest first." }), pagination: paginationSchema },
    { ...exact, ...namedAfter(schema, "Page") },
  );

function namedAfter(schema: TSchema, kind: "Response" | "Page"): { $id?: string; description?: string } {
  const { $id } = schema;
  if ($id !== undefined)
    return { $id: $id + kind, description: kind === "Page" ? `One page: ${$id} items.` : `The ${$id}.` };
  const item = schema["type"] === "array" ? (schema["items"] as TSchema).$id : undefined;
  return item === undefined ? {} : { $id: `${item}List${kind}`, description: `All of them: ${item} items.` };
}

/** An instant in requests and answers: ISO 8601, UTC. */
export const timestamp = (description: string): TSchema =>
  Type.String({
    format: "date-time",
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
    description,
    examples: ["2026-11-21T09:30:00.000Z"],
  });

/**
 * One of several texts, with its own name in the document. In a body the schema accepts any text: the rules
 * refuse unknown ones.
 */
export const oneOf = ($id: string, values: readonly string[], description: string): TString =>
  Type.String({ $id, enum: [...values], description });

/** An object with any members. */
export const openObject = (description: string, example: object): TSchema =>
  Type.Object({}, { additionalProperties: true, description, examples: [example] });

/**
 * Documented as `schema`, but accepts any value: a rule checks it and gives a better message than a schema.
 */
export const documentedAs = (schema: TSchema): TUnknown => Type.Unknown({ ...schema });

/** Where a schema keeps the limits that only the document has. */
export const RULED = "ruled";

type Limits = Pick<StringOptions, "minLength" | "maxLength"> &
  Pick<ArrayOptions, "minItems"> &
  Pick<IntegerOptions, "minimum" | "maximum">;

/** `schema` with limits for the document: a rule checks them, and gives a better message than a schema. */
export const ruled = <Schema extends TSchema>(schema: Schema, limits: Limits): Schema => ({
  ...schema,
  [RULED]: limits,
});

export const nullable = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()]);

/**
 * A whole number that may be beyond 2^31, such as an amount. Some generators make 32 bits of a number whose length
 * the document does not say, and their clients fail on the first longer one. Counts are not marked: others make a
 * `bigint` of what is.
 */
export const longInteger = (options: IntegerOptions = {}): TInteger =>
  Type.Integer({ ...options, format: "int64" });

/**
 * Query parameters of every paginated route, in addition to its own filters. They only describe; `parseLimit`
 * and the cursors read the values.
 */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description:
        "How many items a page has. More than 100 counts as 100, anything that is no number as 20.",
    }),
  ),
  after: Type.Optional(
    Type.String({
      description: "The `nextCursor` of the previous page; left out for the first one.",
      examples: ["AAAAAAAAACrKkBGV3ua1cRx3Wx8"],
    }),
  ),
};
