import { present } from "#core/present.ts";
import type { TSchema } from "@sinclair/typebox";

/**
 * An example of a schema: its own first example, otherwise its only or default value, otherwise one built
 * from its parts. Undefined if a part has none; a test names such parts.
 */
export function exampleOf(schema: TSchema): unknown {
  const own = ownExample(schema);
  if (own !== undefined) return own;
  if (Array.isArray(schema["anyOf"])) return exampleOf(firstThatIsNotNull(schema["anyOf"] as TSchema[]));
  if (schema["type"] === "array") return listExample(schema["items"] as TSchema);
  if (schema["type"] === "object") return objectExample(schema);
  return undefined;
}

function ownExample(schema: TSchema): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ("const" in schema) return schema["const"];
  if ("default" in schema) return schema.default;
  return Array.isArray(schema["enum"]) ? schema["enum"][0] : undefined;
}

const firstThatIsNotNull = (schemas: readonly TSchema[]): TSchema =>
  present(schemas.find(({ type }) => type !== "null") ?? schemas[0], "schema in an anyOf");

function listExample(items: TSchema): unknown {
  const item = exampleOf(items);
  return item === undefined ? undefined : [item];
}

function objectExample({ properties = {} }: TSchema): unknown {
  const members = Object.entries(properties as Record<string, TSchema>).map(([name, schema]) => [
    name,
    exampleOf(schema),
  ]);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}
