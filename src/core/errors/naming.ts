import { asError } from "./thrown.ts";

/** An error of an open file does not say which it is, and a person could not tell what disk is full. */
export const withPath = (error: unknown, path: string): Error => Object.assign(asError(error), { path });

/** Does work with an open file. @throws what the work throws, with the path that a person knows */
export function naming<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw withPath(error, path);
  }
}
