import { Type, type TObject, type TOptional, type TSchema, type TUnknown } from "@sinclair/typebox";
import { documentedAs, exact, nullable, oneOf } from "#http/envelope.ts";

/** The shapes shared by the routes that take many things at once (docs/contract.md "Many at once"). */

/**
 * The list in the body. It is read item by item (`bulk-body.ts`) and not with the rest, so here it accepts
 * anything and may be missing.
 */
export const bulkItems = (item: TObject, description: string): TOptional<TUnknown> =>
  Type.Optional(documentedAs(Type.Array(item, { description, minItems: 1, maxItems: 1_000 })));

/** Only for the document, which would otherwise show the list as optional. */
export const requiresItems = (field: string) => ({ allOf: [{ required: [field] }] });

const bulkError = Type.Object(
  {
    code: Type.String({ description: "As in `error.code` of the route for one.", examples: ["NOT_FOUND"] }),
    message: Type.String({
      description: "What is wrong and what to do.",
      examples: ["`email` is required."],
    }),
  },
  { ...exact, $id: "BulkError", description: "Why this one failed." },
);

type BulkResultParts = {
  readonly $id: string;
  readonly description: string;
  /** The name of each count, and what it counts. */
  readonly counts: Readonly<Record<string, string>>;
  readonly outcomes: readonly string[];
  readonly id: { readonly description: string; readonly example: string };
};

/** The answer: how many of each outcome there were, and the outcome of each in the order they were sent. */
export function bulkResult({ $id, description, counts, outcomes, id }: BulkResultParts): TSchema {
  const result = Type.Object(
    {
      index: Type.Integer({ description: "Its place in the list that was sent, from 0.", examples: [0] }),
      id: nullable(Type.String({ description: id.description, examples: [id.example] })),
      outcome: oneOf(`${$id}Outcome`, outcomes, "What became of it."),
      error: Type.Union([bulkError, Type.Null()], {
        description: "Why it failed; else null.",
        examples: [null],
      }),
    },
    { ...exact, $id: `${$id}Item`, description: "What became of one." },
  );
  const numbers = Object.entries(counts).map(([name, says]) => [
    name,
    Type.Integer({ description: says, examples: [name === Object.keys(counts)[0] ? 1 : 0] }),
  ]);
  return Type.Object(
    {
      ...(Object.fromEntries(numbers) as Record<string, TSchema>),
      results: Type.Array(result, { description: "One for each that was sent, in the same order." }),
    },
    { ...exact, $id, description },
  );
}
