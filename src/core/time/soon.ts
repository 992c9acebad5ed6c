/** A value, or the promise of one. */
export type Soon<T> = T | Promise<T>;

/**
 * Passes a value on, at once if it is there. An `await` would wait even then, and so would every caller. That is
 * too slow for what is done for every message or request.
 */
export const thenSoon = <T, R>(value: Soon<T>, use: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(use) : use(value);
