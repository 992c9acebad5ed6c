import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { AppError } from "#core/errors.ts";
import type { JsonObject } from "./json-body.ts";

/** A schema as it is used: compiled, with its members by name. */
type Shape = {
  readonly check: TypeCheck<TSchema>;
  readonly fields: readonly [name: string, schema: TSchema][];
};

/** Compiled on first use: a hundred schemas at start would cost more than the first answer. */
const compiled = new WeakMap<TSchema, Shape>();

function shapeOf(schema: TSchema): Shape {
  const known = compiled.get(schema);
  if (known) return known;
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  const shape = { check: TypeCompiler.Compile(schema), fields: Object.entries(properties) };
  compiled.set(schema, shape);
  return shape;
}

/**
 * Holds a body against the shape its route documents. `null` for a field that does not take it means "not sent"
 * (docs/decisions.md "HTTP"). Members the shape does not name are dropped.
 * @throws AppError VALIDATION_ERROR naming the first field that does not fit
 */
export function bodyInShape<Body extends TObject>(schema: Body, body: JsonObject): Static<Body> {
  const { check, fields } = shapeOf(schema);
  const shaped: JsonObject = {};
  for (const [field, fieldSchema] of fields) {
    if (!Object.hasOwn(body, field)) continue;
    const value = body[field];
    if (value === null && !fits(fieldSchema, null)) continue;
    shaped[field] = value;
  }
  if (fits(schema, shaped)) return shaped;
  throw misfit(check.Errors(shaped).First());
}

function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return shapeOf(schema).check.Check(value);
}

function misfit(error: ValueError | undefined): AppError {
  if (error === undefined) return new AppError("VALIDATION_ERROR", "The body does not fit.");
  const path = error.path.slice(1).replaceAll("/", ".") || "body";
  const missing = error.value === undefined;
  return new AppError(
    "VALIDATION_ERROR",
    missing ? `\`${path}\` is required.` : `\`${path}\`: ${lowerFirst(error.message)}.`,
  );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
