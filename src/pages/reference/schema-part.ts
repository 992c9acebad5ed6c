import { requiredIn, type JsonSchema } from "#http/openapi/openapi.ts";
import { html, type Html } from "#pages/html.ts";
import { inline } from "./prose.ts";

/**
 * The members of an object, each with its type and what it says; objects inside it below their member.
 * @param asked whether somebody has to send it: only then is it of interest which members are required
 */
export function members(schema: JsonSchema, asked: boolean): Html | null {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return null;
  const required = requiredIn(schema);
  return html`<ul class="members">
    ${properties.map(([name, member]) => memberItem(name, member, asked, required.includes(name)))}
  </ul>`;
}

function memberItem(name: string, schema: JsonSchema, asked: boolean, required: boolean): Html {
  return html`<li>
    ${memberLine(name, schema, asked && required)} ${says(schema)} ${members(innerObject(schema), asked)}
  </li>`;
}

/** A member's or a parameter's name and type. */
export const memberLine = (name: string, schema: JsonSchema, required: boolean): Html =>
  html`<p>
    <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
    ${required && html`<span class="required">required</span>`}
  </p>`;

/** What a schema says of itself, and which values it takes. */
export function says(schema: JsonSchema): Html | null {
  const description = schema.description ?? "";
  const values = Array.isArray(schema["enum"]) ? schema["enum"].filter((value) => value !== null) : [];
  if (description === "" && values.length === 0) return null;
  return html`<p class="says">
    ${inline(description)} ${values.length > 0 && html`One of ${listed(values)}.`}
    ${"default" in schema && html` Default <code>${JSON.stringify(schema["default"])}</code>.`}
  </p>`;
}

const listed = (values: readonly unknown[]): Html[] =>
  values.map((value, index) => html`${index === 0 ? "" : ", "}<code>${String(value)}</code>`);

/** A type in words: `string or null`, `array of Contact`. A component is a link to its place on the page. */
function typeOf(schema: JsonSchema): Html {
  const name = componentOf(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  const { type, anyOf, items } = schema as {
    type?: string | string[];
    anyOf?: JsonSchema[];
    items?: JsonSchema;
  };
  if (anyOf) return html`${anyOf.map((one, index) => html`${index === 0 ? "" : " or "}${typeOf(one)}`)}`;
  if (type === "array") return html`array${items ? html` of ${typeOf(items)}` : ""}`;
  return html`${[type ?? "any"].flat().join(" or ")}`;
}

function componentOf({ $ref }: JsonSchema): string | null {
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : null;
}

/** Where the members of an array or of something that may be null are. */
function innerObject(schema: JsonSchema): JsonSchema {
  const { items, anyOf } = schema as { items?: JsonSchema; anyOf?: JsonSchema[] };
  return items ?? anyOf?.find((one) => one["type"] === "object") ?? schema;
}
