import { present } from "#core/present.ts";
import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "@sinclair/typebox";
import { RULED } from "#http/envelope.ts";
import type { JsonSchema } from "./openapi.ts";
import { tidied } from "./tidy.ts";

/** Writes TypeBox schemas as plain JSON Schema. Collects those with a `$id` for `components.schemas`. */
export type SchemaWriter = {
  write(schema: TSchema): JsonSchema;
  /** The schemas collected so far, by `$id`. */
  readonly components: Readonly<Record<string, JsonSchema>>;
};

/** Keywords that describe a value but do not restrict it. Each use of a component may have its own. */
const ANNOTATIONS = ["description", "default", "examples"] as const;

/**
 * @throws Error if two schemas share a `$id` but accept different values: the second would be documented as
 * the first
 */
export function schemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  const sources = new Map<string, TSchema>();

  function write(schema: TSchema): JsonSchema {
    const { $id } = schema;
    if ($id === undefined) return inline(schema);
    const reference = { $ref: `#/components/schemas/${$id}` };
    const known = sources.get($id);
    if (known === schema) return reference;
    if (known !== undefined) return { ...reference, ...furtherWords($id, inline(schema)) };
    sources.set($id, schema);
    components[$id] = inline(schema);
    return reference;
  }

  /** What one use of a component adds to it (OpenAPI 3.1 allows this next to a `$ref`). */
  function furtherWords($id: string, use: JsonSchema): JsonSchema {
    const component = present(components[$id], `component ${$id}`);
    if (!isDeepStrictEqual(asked(use), asked(component))) throw new Error(`two schemas have the $id ${$id}`);
    const own = ANNOTATIONS.filter((word) => word in use && !isDeepStrictEqual(use[word], component[word]));
    return Object.fromEntries(own.map((word) => [word, use[word]]));
  }

  function inline(schema: TSchema): JsonSchema {
    const written: Record<string, unknown> = {};
    const { [RULED]: limits, $id: _, ...keywords } = schema;
    for (const [keyword, value] of Object.entries(keywords)) written[keyword] = member(keyword, value);
    return tidied({ ...written, ...(limits as object | undefined) });
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

const asked = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.some((word) => word === keyword)),
  );
