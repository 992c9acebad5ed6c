import type { ValueTest } from "#segments/rule.ts";

const OPS = ["exists", "equals", "contains", "startsWith", "endsWith"] as const;
export type TextOp = (typeof OPS)[number];

/**
 * A test that is no contrary as it is asked of a folded text, and the folded text that it looks for, which is empty for
 * `exists` alone. A text that is empty is missing. Null: nobody fits.
 */
export function textTestOf(
  test: ValueTest,
  folded: (text: string) => string,
): { readonly op: TextOp; readonly value: string } | null {
  const op = OPS.find((each) => each === test.op);
  if (op === undefined) throw new Error(`Fault in Postrider: \`${test.op}\` is no test of a text.`);
  const value = "value" in test && typeof test.value === "string" ? folded(test.value) : "";
  if (value !== "") return { op, value };
  // Nothing equals an empty text, for that is missing; every text that is there contains it.
  return op === "equals" ? null : { op: "exists", value };
}
