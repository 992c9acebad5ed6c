import { requiredIn, schemaOf, type Document, type JsonSchema } from "#http/openapi/openapi.ts";
import { html, type Html } from "#pages/html.ts";
import { inline } from "./prose.ts";
import { componentOf, usesOf } from "./references.ts";

/**
 * The members of an object, each with its type and what it says; objects inside it below their member, unless they stand in more than
 * one place: then the type leads to where they are described.
 * @param asked whether somebody has to send it: only then is it of interest which members are required
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

/** A member's or a parameter's name and type, and what it says. */
export function memberLine(document: Document, name: string, schema: JsonSchema, required: boolean): Html {
  return html`<p>
      <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
      ${required && html`<span class="required">required</span>`}
    </p>
    ${says(describedBy(document, schema))}`;
}

/** What a schema says of itself, and which values it takes. */
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

/** The words of a list of values are needed where they are used; an object's are where it is described. */
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

/** Where the members of an array or of something that may be null are. */
function innerObject(document: Document, schema: JsonSchema): JsonSchema {
  const { items, anyOf } = schema as { items?: JsonSchema; anyOf?: JsonSchema[] };
  const inner = items ?? anyOf?.find((one) => one["type"] !== "null") ?? schema;
  const name = componentOf(inner);
  if (name === null) return inner;
  return usesOf(document, name) === 1 ? schemaOf(document, inner) : {};
}
