import type { JsonSchema } from "./openapi.ts";

/** Rewrites a schema into a shorter one with the same meaning, for readers and for client generators. */
export function tidied(schema: Record<string, unknown>): JsonSchema {
  return withoutPatterns(withConstantMembers(withTextConstants(withTypes(withRequired(schema)))));
}

/** Members that a rule requires are listed as required, like those that the schema itself requires. */
function withRequired({ allOf, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(allOf)) return rest;
  const required = (allOf as JsonSchema[]).flatMap((part) => (part["required"] ?? []) as string[]);
  return { ...rest, required: [...((rest["required"] ?? []) as string[]), ...required] };
}

/** A union of texts becomes an `enum`; a type that may be null becomes a list of two types. */
function withTypes({ anyOf, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(anyOf)) return rest;
  const members = anyOf as JsonSchema[];
  if (members.every((member) => typeof member["const"] === "string"))
    return { ...rest, type: "string", enum: members.map((member) => member["const"]) };
  const [only, ...others] = members.filter(({ type }) => type !== "null");
  if (only === undefined || others.length > 0 || members.length !== 2) return { ...rest, anyOf: members };
  if (typeof only["type"] !== "string") return { ...rest, anyOf: members };
  const values = Array.isArray(only["enum"]) ? { enum: [...(only["enum"] as unknown[]), null] } : {};
  return { ...only, ...values, ...rest, type: [only["type"], "null"] };
}

/**
 * A constant that is no text is written as its type alone: generators of clients make an enum of texts of it, and
 * their client then refuses the real answer.
 */
function withTextConstants(schema: Record<string, unknown>): Record<string, unknown> {
  const { const: value, ...rest } = schema;
  return value === undefined || typeof value === "string" ? schema : rest;
}

/**
 * Where all members are constants, each is written as an `enum` of one: orval takes such an object for a value, and
 * the file that it writes is no TypeScript.
 */
function withConstantMembers(schema: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  if (members.length === 0 || !members.every(([, member]) => "const" in member)) return schema;
  const written = members.map(([name, { const: value, ...rest }]) => [name, { ...rest, enum: [value] }]);
  return { ...schema, properties: Object.fromEntries(written) as Record<string, JsonSchema> };
}

/** An object with arbitrary names is described by `additionalProperties` alone. */
function withoutPatterns({ patternProperties, ...rest }: Record<string, unknown>): JsonSchema {
  const { properties, ...open } = rest;
  if (patternProperties !== undefined) {
    const [values] = Object.values(patternProperties as Record<string, JsonSchema>);
    return { ...open, additionalProperties: values };
  }
  const isEmpty = properties !== undefined && Object.keys(properties as object).length === 0;
  return isEmpty && rest["additionalProperties"] === true ? open : rest;
}
