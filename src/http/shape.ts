import { TypeCompiler, type TypeCheck } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { AppError } from "#core/errors/errors.ts";
import type { JsonObject } from "#http/body/json-body.ts";

/** A compiled schema, with its members by name. */
type Shape = {
  readonly check: TypeCheck<TSchema>;
  readonly fields: readonly [name: string, schema: TSchema][];
};

/**
 * Compiled on first use: compiling a hundred schemas at the start would take longer than the first answer.
 */
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
 * Checks a body against the shape that its route documents. `null` means "not sent" for a field that does not
 * accept it (docs/decisions.md "HTTP"). Members that the shape does not name are dropped.
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
  if (error === undefined)
    return new AppError("VALIDATION_ERROR", "The body does not have the form of this route: see `/docs`.");
  const path = error.path.slice(1).replaceAll("/", ".") || "body";
  const missing = error.value === undefined;
  return new AppError(
    "VALIDATION_ERROR",
    missing ? `\`${path}\` is required.` : `\`${path}\`: ${wanted(error)}.`,
  );
}

/** Of a union ("a text or null") TypeBox says only that it is one. */
function wanted({ message, schema }: ValueError): string {
  const types = ((schema["anyOf"] ?? []) as TSchema[]).map(({ type }) => String(type));
  return types.length === 0 ? lowerFirst(message) : `expected ${types.join(" or ")}`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
