/** A value that may be there already. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on with a value: at once where it is there. An `await` waits even then, and whoever waits for it in turn; that
 * counts where something is done for every message or request.
 */
export const goOn = <T, R>(value: Soon<T>, use: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(use) : use(value);
