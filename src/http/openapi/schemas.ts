import type { TSchema } from "@sinclair/typebox";
import type { JsonSchema } from "./openapi.ts";

/** Writes TypeBox schemas as plain JSON Schema and gathers those with a `$id` for `components.schemas`. */
export type SchemaWriter = {
  write(schema: TSchema): JsonSchema;
  /** What was gathered so far, by `$id`. */
  readonly components: Readonly<Record<string, JsonSchema>>;
};

/** @throws Error where two schemas share a `$id`: the second would be documented as the first */
export function schemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  const sources = new Map<string, TSchema>();

  function write(schema: TSchema): JsonSchema {
    const { $id } = schema;
    if ($id === undefined) return inline(schema);
    const known = sources.get($id);
    if (known !== undefined && known !== schema) throw new Error(`two schemas have the $id ${$id}`);
    if (known === undefined) {
      sources.set($id, schema);
      components[$id] = inline(schema);
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  function inline(schema: TSchema): JsonSchema {
    const written: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== "$id") written[keyword] = member(keyword, value);
    }
    return tidy(written);
  }

  function member(keyword: string, value: unknown): unknown {
    if (keyword === "items" || (keyword === "additionalProperties" && typeof value === "object"))
      return write(value as TSchema);
    if (keyword === "anyOf") return (value as TSchema[]).map(write);
    if (keyword !== "properties" && keyword !== "patternProperties") return value;
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([name, schema]) => [name, write(schema)]),
    );
  }

  return { write, components };
}

/** The shorter of two ways to say the same: for readers, and for programs that make clients. */
function tidy(schema: Record<string, unknown>): JsonSchema {
  const { patternProperties, anyOf, ...rest } = schema;
  if (patternProperties !== undefined) {
    const [values] = Object.values(patternProperties as Record<string, JsonSchema>);
    return { ...rest, additionalProperties: values };
  }
  return Array.isArray(anyOf) ? tidyUnion(rest, anyOf as JsonSchema[]) : schema;
}

/** A union of texts is an `enum`; what may be null has two types. */
function tidyUnion(rest: JsonSchema, members: readonly JsonSchema[]): JsonSchema {
  if (members.every((member) => typeof member["const"] === "string"))
    return { ...rest, type: "string", enum: members.map((member) => member["const"]) };
  const [only, ...others] = members.filter(({ type }) => type !== "null");
  if (only === undefined || others.length > 0 || members.length !== 2) return { ...rest, anyOf: members };
  if (typeof only["type"] !== "string") return { ...rest, anyOf: members };
  const values = Array.isArray(only["enum"]) ? { enum: [...(only["enum"] as unknown[]), null] } : {};
  return { ...only, ...values, ...rest, type: [only["type"], "null"] };
}
