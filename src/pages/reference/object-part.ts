import type { Document, JsonSchema } from "#http/openapi/openapi.ts";
import { html, type Html } from "#pages/html.ts";
import { prose } from "./prose.ts";
import { usesOf } from "./references.ts";
import { members, typeOf, values } from "./schema-part.ts";

/** The components that are parts of others. Whole bodies and answers are shown at their routes. */
export const objectsIn = (document: Document): [name: string, schema: JsonSchema][] =>
  Object.entries(document.components.schemas).filter(([name]) => usesOf(document, name) > 0);

export function objectPart(document: Document, name: string, schema: JsonSchema): Html {
  const listed = values(schema);
  return html`<article id="schema-${name}" class="entry">
    <h3>${name}</h3>
    ${prose(schema.description ?? "")} ${listed && html`<p>${listed}</p>`}
    ${schema["anyOf"] !== undefined && html`<p>One of ${typeOf(schema, ", ")}.</p>`}
    ${members(document, schema, false)}
  </article>`;
}
