import type { TObject, TSchema } from "@sinclair/typebox";
import { exampleOf } from "./example.ts";
import type { Header, MediaType, Parameter } from "./openapi.ts";
import type { SchemaWriter } from "./schemas.ts";

/** A body of one media type, with its example. */
export const mediaOf = (schema: TSchema, schemas: SchemaWriter): MediaType => ({
  schema: schemas.write(schema),
  example: exampleOf(schema),
});

export const contentOf = (
  content: Readonly<Record<string, TSchema>>,
  schemas: SchemaWriter,
): Record<string, MediaType> =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, mediaOf(schema, schemas)]));

/**
 * The members of an object as parameters. The description of a member becomes the description of its
 * parameter.
 */
export function parametersOf(
  place: Parameter["in"],
  { properties, required = [] }: TObject,
  schemas: SchemaWriter,
): Parameter[] {
  return Object.entries(properties).map(([name, source]) => {
    const { description = "", examples: _, ...schema } = schemas.write(source);
    return {
      name,
      in: place,
      required: required.includes(name),
      description: description,
      schema,
      example: exampleOf(source),
    };
  });
}

export function headersOf(headers: TObject | undefined, schemas: SchemaWriter): Record<string, Header> {
  const parameters = headers === undefined ? [] : parametersOf("header", headers, schemas);
  return Object.fromEntries(
    parameters.map(({ name, required, description, schema, example }) => [
      name,
      { required, description, schema, example },
    ]),
  );
}
