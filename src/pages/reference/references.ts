import {
  componentIn,
  type Answer,
  type Document,
  type JsonSchema,
  type MediaType,
  type Operation,
  type Reference,
  type RequestBody,
} from "#http/openapi/openapi.ts";

/** The component that a schema refers to; null if it is not a reference. */
export function componentOf({ $ref }: JsonSchema): string | null {
  return typeof $ref === "string" ? componentIn($ref) : null;
}

const counted = new WeakMap<Document, ReadonlyMap<string, number>>();

/**
 * In how many places a component is part of something. Whole bodies and answers do not count: they are shown
 * at their routes.
 */
export function usesOf(document: Document, name: string): number {
  const uses = counted.get(document) ?? countUses(document);
  counted.set(document, uses);
  return uses.get(name) ?? 0;
}

function countUses({ components, paths, webhooks }: Document): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const name = componentOf(value as JsonSchema);
    if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1);
    Object.values(value).forEach(count);
  };
  count(components.schemas);
  const operations = [paths, webhooks].flatMap((by) => Object.values(by).flatMap(Object.values<Operation>));
  for (const { parameters = [], requestBody, responses } of operations) {
    for (const { schema } of parameters) count(schema);
    for (const { schema } of [requestBody, ...Object.values(responses)].flatMap(mediaOf))
      if (componentOf(schema) === null) count(schema);
  }
  return uses;
}

const mediaOf = (body: Answer | RequestBody | Reference | undefined): MediaType[] =>
  body !== undefined && "content" in body ? Object.values(body.content ?? {}) : [];
