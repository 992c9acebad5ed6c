import { Type, type TSchema } from "@sinclair/typebox";

/** Shapes every feature's routes share (contract, "Response conventions"). */

const exact = { additionalProperties: false } as const;

export const dataOf = (schema: TSchema): TSchema => Type.Object({ data: schema }, exact);

export const pageOf = (schema: TSchema): TSchema =>
  Type.Object(
    {
      data: Type.Array(schema),
      pagination: Type.Object(
        {
          total: Type.Integer({ description: "Every item that matches the filters, not only this page." }),
          limit: Type.Integer({ description: "The limit that was used." }),
          hasMore: Type.Boolean(),
          nextCursor: Type.Union([Type.String(), Type.Null()], { description: "Pass it as `after`; null on the last page." }),
        },
        exact,
      ),
    },
    exact,
  );

/** An instant on the wire: ISO 8601, UTC. */
export const timestamp = (description?: string): TSchema =>
  Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$", ...(description ? { description } : {}) });

export const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const isoOf = (instant: number): string => new Date(instant).toISOString();
export const isoOrNull = (instant: number | null): string | null => (instant === null ? null : isoOf(instant));

/** Query parameters of every paginated route, beside its own filters. */
export const pageQuery = {
  limit: Type.Optional(Type.String({ description: "1 to 100, default 20. Anything that is no number counts as 20." })),
  after: Type.Optional(Type.String({ description: "The `nextCursor` of the previous page." })),
};
