/** What becomes of each item of a bulk body, in the order they were sent (docs/contract.md "Many at once"). */
import type { Refusal, Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";

/** One line of the answer: what was done, or why nothing was. */
export type BulkLine<Outcome extends string> =
  | { readonly id: string; readonly outcome: Outcome }
  | { readonly refusal: Refusal };

export type ParsedItems<T> = {
  /** Those that can be worked on. */
  readonly accepted: readonly T[];
  /** One for each item: null, or why it is none of them. */
  readonly refusals: readonly (Refusal | null)[];
};

export async function parseItems<Item, T>(
  items: AsyncIterable<Result<Item>>,
  parse: (item: Item) => Result<T>,
): Promise<ParsedItems<T>> {
  const accepted: T[] = [];
  const refusals: (Refusal | null)[] = [];
  for await (const item of items) {
    const parsed = item.ok ? parse(item.value) : item;
    refusals.push(parsed.ok ? null : parsed.refusal);
    if (parsed.ok) accepted.push(parsed.value);
  }
  return { accepted, refusals };
}

/** @param results one for each that was accepted, in order */
export function linesOf<T, Outcome extends string>(
  { refusals }: Pick<ParsedItems<unknown>, "refusals">,
  results: readonly Result<T>[],
  lineOf: (value: T) => BulkLine<Outcome>,
): BulkLine<Outcome>[] {
  const inOrder = results.values();
  return refusals.map((refusal) => {
    if (refusal !== null) return { refusal };
    const result = present(inOrder.next().value, "result of an item");
    return result.ok ? lineOf(result.value) : { refusal: result.refusal };
  });
}

/** How many lines have an outcome, and how many failed. */
export const countOf = <Outcome extends string>(
  lines: readonly BulkLine<Outcome>[],
  outcome: Outcome | "FAILED",
): number => lines.filter((line) => ("refusal" in line ? "FAILED" : line.outcome) === outcome).length;

type WireLine = {
  readonly index: number;
  readonly id: string | null;
  readonly outcome: string;
  readonly error: Refusal | null;
};

export const wireLines = (lines: readonly BulkLine<string>[]): WireLine[] =>
  lines.map((line, index) =>
    "refusal" in line
      ? { index, id: null, outcome: "FAILED", error: line.refusal }
      : { index, id: line.id, outcome: line.outcome, error: null },
  );
