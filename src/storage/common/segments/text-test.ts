import type { ValueTest } from "#segments/rule.ts";

const OPS = ["exists", "equals", "contains", "startsWith", "endsWith"] as const;
export type TextOp = (typeof OPS)[number];

/**
 * A test, in its form without negation, for a folded text, and the folded text to look for, which is empty for
 * `exists`. An empty text counts as missing. Null: no contact fits.
 */
export function textTestOf(
  test: ValueTest,
  folded: (text: string) => string,
): { readonly op: TextOp; readonly value: string } | null {
  const op = OPS.find((each) => each === test.op);
  if (op === undefined) throw new Error(`Fault in Postrider: \`${test.op}\` is no test of a text.`);
  const value = "value" in test && typeof test.value === "string" ? folded(test.value) : "";
  if (value !== "") return { op, value };
  // Nothing equals an empty text, which counts as missing. Every existing text contains it.
  return op === "equals" ? null : { op: "exists", value };
}
