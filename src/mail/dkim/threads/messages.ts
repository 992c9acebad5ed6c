/** The messages from the main thread to a signature thread. */

/** A key for later batches, which name it by its number. */
export type NewKey = { readonly key: number; readonly pem: string };

/** Texts to sign, each with the number of its key. Sent as JSON; the signatures come back as JSON in the same order. */
export type Batch = readonly (readonly [key: number, text: string])[];

/** There is nothing more to sign: the thread frees its keys and ends. */
export const NO_MORE = null;
