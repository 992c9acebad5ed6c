/**
 * A value that is always there: the row of an aggregate or of an INSERT that returns it, or what this
 * transaction has just written or read. @throws Error where it is missing: then the statement or the data
 * differs from what its author assumed
 */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("a value is missing that is always there");
  return value;
}
