import { Type, type TSchema } from "@sinclair/typebox";

/** Shapes every feature's routes share (contract, "Response conventions"). */

const exact = { additionalProperties: false } as const;

/** `says` is the answer's description where the data's own does not do. */
export const dataOf = (schema: TSchema, says?: string): TSchema =>
  Type.Object({ data: schema }, { ...exact, ...(says === undefined ? {} : { description: says }) });

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

export const pageOf = (schema: TSchema): TSchema =>
  Type.Object(
    { data: Type.Array(schema, { description: "The items, newest first." }), pagination: paginationSchema },
    exact,
  );

/** An instant on the wire: ISO 8601, UTC. */
export const timestamp = (description: string): TSchema =>
  Type.String({
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
    description,
    examples: ["2026-11-21T09:30:00.000Z"],
  });

export const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const isoOf = (instant: number): string => new Date(instant).toISOString();
export const isoOrNull = (instant: number | null): string | null =>
  instant === null ? null : isoOf(instant);

/** Query parameters of every paginated route, beside its own filters. They describe; `parseLimit` and cursors read. */
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
