import { requiredIn, schemaOf, type Document, type JsonSchema } from "#http/openapi/openapi.ts";
import { html, type Html } from "#pages/html.ts";
import { inline } from "./prose.ts";
import { componentOf, usesOf } from "./references.ts";

/**
 * The members of an object, each with its type and description. An inner object is shown below its member. If
 * it is used in several places, the type links to its description instead.
 * @param asked whether the reader has to send it: only then is it shown which members are required
 */
export function members(document: Document, schema: JsonSchema, asked: boolean): Html | null {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return null;
  const required = requiredIn(schema);
  return html`<ul class="members">
    ${properties.map(
      ([name, member]) =>
        html`<li>
          ${memberLine(document, name, member, asked && required.includes(name))}
          ${members(document, innerObject(document, member), asked)}
        </li>`,
    )}
  </ul>`;
}

/** The name, type and description of a member or a parameter. */
export function memberLine(document: Document, name: string, schema: JsonSchema, required: boolean): Html {
  return html`<p>
      <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
      ${required && html`<span class="required">required</span>`}
    </p>
    ${says(describedBy(document, schema))}`;
}

/** A schema's description, and the values it accepts. */
function says(schema: JsonSchema): Html | null {
  const description = schema.description ?? "";
  const listed = values(schema);
  if (description === "" && listed === null) return null;
  return html`<p class="says">
    ${inline(description)} ${listed}
    ${"default" in schema && html` Default <code>${JSON.stringify(schema["default"])}</code>.`}
  </p>`;
}

/** The values of an enumeration; null for anything else. */
export function values(schema: JsonSchema): Html | null {
  if (!Array.isArray(schema["enum"])) return null;
  const shown = schema["enum"].filter((value) => value !== null);
  return html`One of
  ${shown.map((value, index) => html`${index === 0 ? "" : ", "}<code>${String(value)}</code>`)}.`;
}

/** A list of values is described where it is used; an object is described in its own place. */
function describedBy(document: Document, schema: JsonSchema): JsonSchema {
  const component = schemaOf(document, schema);
  return "enum" in component ? component : schema;
}

/** A type in words: `string or null`, `array of Contact`. A component is a link to its place on the page. */
export function typeOf(schema: JsonSchema, between = " or "): Html {
  const name = componentOf(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  const { type, anyOf, items } = schema as {
    type?: string | string[];
    anyOf?: JsonSchema[];
    items?: JsonSchema;
  };
  if (anyOf) return html`${anyOf.map((one, index) => html`${index === 0 ? "" : between}${typeOf(one)}`)}`;
  if (type === "array") return html`array${items ? html` of ${typeOf(items)}` : ""}`;
  return html`${[type ?? "any"].flat().join(" or ")}`;
}

/** The schema that holds the members, for an array or for something that may be null. */
function innerObject(document: Document, schema: JsonSchema): JsonSchema {
  const { items, anyOf } = schema as { items?: JsonSchema; anyOf?: JsonSchema[] };
  const inner = items ?? anyOf?.find((one) => one["type"] !== "null") ?? schema;
  const name = componentOf(inner);
  if (name === null) return inner;
  return usesOf(document, name) === 1 ? schemaOf(document, inner) : {};
}
