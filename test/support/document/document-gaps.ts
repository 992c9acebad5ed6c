/**
 * What is missing in a document. Every route, parameter, property, body and answer needs a description and an
 * example.
 */
import {
  isReference,
  type Answer,
  type Document,
  type JsonSchema,
  type MediaType,
} from "#http/openapi/openapi.ts";

/** The place of everything without a description or an example, as paths into the document. */
export function documentGaps(document: Document): string[] {
  const gaps = gapFinder();
  for (const { name, description } of document.tags) gaps.says(`tags/${name}`, description);
  for (const [path, operations] of Object.entries({ ...document.paths, ...document.webhooks })) {
    for (const [method, operation] of Object.entries(operations)) {
      const place = `${method.toUpperCase()} ${path}`;
      gaps.says(`${place} summary`, operation.summary);
      gaps.says(place, operation.description);
      for (const { name, description, example, schema } of operation.parameters ?? []) {
        gaps.says(`${place} parameter ${name}`, description);
        gaps.shows(`${place} parameter ${name}`, example);
        gaps.schema(`${place} parameter ${name}`, { ...schema, description });
      }
      if (operation.requestBody) {
        gaps.says(`${place} body`, operation.requestBody.description);
        gaps.content(`${place} body`, operation.requestBody.content);
      }
      for (const [status, answer] of Object.entries(operation.responses))
        if (!isReference(answer)) gaps.answer(`${place} ${status}`, answer);
    }
  }
  const { schemas, responses, headers } = document.components;
  for (const [name, schema] of Object.entries(schemas)) {
    gaps.says(`schema ${name}`, schema["description"]);
    gaps.schema(`schema ${name}`, schema);
  }
  for (const [name, answer] of Object.entries(responses)) gaps.answer(`response ${name}`, answer);
  for (const [name, { description, example }] of Object.entries(headers)) {
    gaps.says(`header ${name}`, description);
    gaps.shows(`header ${name}`, example);
  }
  return gaps.found;
}

function gapFinder() {
  const found: string[] = [];
  const says = (place: string, description: unknown): void => {
    if (typeof description !== "string" || description.trim() === "") found.push(`${place}: no description`);
  };
  const shows = (place: string, example: unknown): void => {
    if (example === undefined) found.push(`${place}: no example`);
  };
  const schema = (place: string, of: JsonSchema): void => {
    const properties = Object.entries((of["properties"] ?? {}) as Record<string, JsonSchema>);
    for (const [name, property] of properties) {
      if ("$ref" in property) continue;
      says(`${place}.${name}`, property["description"] ?? referredTo(property)?.["$ref"]);
      if (!showsItself(property)) found.push(`${place}.${name}: no example`);
      schema(`${place}.${name}`, property);
    }
    if (of["items"]) schema(`${place}[]`, of["items"] as JsonSchema);
    for (const member of [of["anyOf"] ?? [], of["oneOf"] ?? []].flat() as JsonSchema[]) schema(place, member);
  };
  const content = (place: string, types: Readonly<Record<string, MediaType>>): void => {
    for (const media of Object.values(types)) {
      shows(place, media.example ?? media.examples);
      schema(place, media.schema);
    }
  };
  const answer = (place: string, { description, content: types = {}, headers = {} }: Answer): void => {
    says(place, description);
    content(place, types);
    for (const [name, header] of Object.entries(headers)) {
      if (isReference(header)) continue;
      says(`${place} header ${name}`, header.description);
      shows(`${place} header ${name}`, header.example);
    }
  };
  return { found, says, shows, schema, content, answer };
}

/** A leaf needs an example, or so few values that they are an example. */
function showsItself(schema: JsonSchema): boolean {
  if (["examples", "default", "const", "enum", "properties"].some((keyword) => keyword in schema))
    return true;
  if (referredTo(schema)) return true;
  const items = schema["items"] as JsonSchema | undefined;
  return items !== undefined && ("$ref" in items || showsItself(items));
}

/** The component of a property that may be null. */
const referredTo = (schema: JsonSchema): JsonSchema | undefined =>
  ((schema["anyOf"] ?? []) as JsonSchema[]).find((member) => "$ref" in member);
