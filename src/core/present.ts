/**
 * Returns a value that is certainly there, for a reason that the compiler cannot see.
 * @param what the name of the value, for the error message if it is missing after all
 * @throws Error if the value is null or undefined
 */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === null || value === undefined) throw new Error(`Fault in Postrider: there is no ${what}.`);
  return value;
}
