/** Optional fields of a body. */
import { accept, type Result } from "#core/errors/errors.ts";

/** Whether a field was sent, where `null` means that it was not. */
export const isSent = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

/** A field as `parse` reads it; undefined: it was not sent. Where `null` means that too, pass `value ?? undefined`. */
export const ifSent = <Sent, T>(
  value: Sent | undefined,
  parse: (value: Sent) => Result<T>,
): Result<T | undefined> => (value === undefined ? accept(undefined) : parse(value));
