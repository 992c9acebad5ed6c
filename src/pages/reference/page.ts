import type { Document, Tag } from "#http/openapi/openapi.ts";
import { html, type Html } from "#pages/html.ts";
import { pageResponse } from "#pages/layout.ts";
import { REFERENCE_STYLE } from "./look.ts";
import { operationPart, type Listed } from "./operation-part.ts";
import { prose } from "./prose.ts";
import { members } from "./schema-part.ts";

/** The reference for people, made from the document alone: one page without script, images or anything from elsewhere. */
export function referencePage(document: Document, documentPath: string): Response {
  const { info, tags, components } = document;
  const body = html`<a class="skip" href="#content">Skip to the reference</a>
    <div class="page">
      <nav aria-label="Contents">
        ${tags.map((tag) => contentsOf(document, tag))}
        <p><a href="#objects">Objects</a></p>
      </nav>
      <main id="content">
        <header>
          <h1>${info.title} API</h1>
          <p class="soft">Version ${info.version} · <a href="${documentPath}">OpenAPI document</a></p>
        </header>
        <section class="opening">
          ${prose(info.description)}
          <p>
            In the examples <code>$KEY</code> stands for your API key. A click on an example selects it whole.
          </p>
        </section>
        ${tags.map((tag) => groupPart(document, tag))}
        <section id="objects">
          <h2>Objects</h2>
          <p>What answers are made of.</p>
          ${Object.entries(components.schemas).map(
            ([name, schema]) =>
              html`<article id="schema-${name}">
                <h3>${name}</h3>
                ${prose(schema.description ?? "")} ${members(schema, false)}
              </article>`,
          )}
        </section>
      </main>
    </div>`;
  return pageResponse({ title: `${info.title} API reference`, body }, REFERENCE_STYLE);
}

function contentsOf(document: Document, { name }: Tag): Html {
  return html`<p><a href="#group-${name}">${titleOf(name)}</a></p>
    <ul>
      ${operationsOf(document, name).map(
        ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
      )}
    </ul>`;
}

function groupPart(document: Document, { name, description }: Tag): Html {
  return html`<section id="group-${name}">
    <h2>${titleOf(name)}</h2>
    ${prose(description)} ${operationsOf(document, name).map((listed) => operationPart(document, listed))}
  </section>`;
}

function operationsOf({ paths }: Document, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
