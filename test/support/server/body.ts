import { expect } from "bun:test";
import type { Static, TObject } from "@sinclair/typebox";
import { AppError, refuse, type Result } from "#core/errors/errors.ts";
import { bodyInShape } from "#http/shape.ts";

/**
 * Reads a body as its route does: first its schema checks it, then the rule reads it. Returns the refusal of
 * whichever refuses it.
 */
export const readAs =
  <Body extends TObject, T>(schema: Body, parse: (body: Static<Body>) => Result<T>) =>
  (body: Record<string, unknown>): Result<T> => {
    try {
      return parse(bodyInShape(schema, body));
    } catch (error) {
      if (error instanceof AppError) return refuse(error.code, error.message);
      throw error;
    }
  };

/** The rule refused it, and its sentence holds the word. */
export function expectRefused(result: Result<unknown>, word: string): void {
  expect(result).toEqual({
    ok: false,
    refusal: { code: "VALIDATION_ERROR", message: expect.stringContaining(word) },
  });
}
