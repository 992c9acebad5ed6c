/**
 * A value that is there for a reason which the compiler cannot follow. @param what the value, as a person calls it, for the
 * message of the fault that shows where the reason does not hold after all
 * @throws Error where it is null or undefined
 */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === null || value === undefined) throw new Error(`Fault in Postrider: there is no ${what}.`);
  return value;
}
