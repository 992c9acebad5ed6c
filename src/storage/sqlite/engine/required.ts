/**
 * A value that is always there: the row of an aggregate or of an INSERT that returns it, what this transaction has just written or read.
 * @throws Error where it is missing: then the statement, or the data, is not what its author took it for
 */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("a value is missing that is always there");
  return value;
}
