import { rootOf } from "#core/addresses/base-url.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Document, Operation, Tag } from "#http/openapi/openapi.ts";
import { guidesOf } from "#http/openapi/guides.ts";
import { INTRODUCTION } from "#http/openapi/introduction.ts";
import { html, type Html } from "#pages/html.ts";
import { pageResponse } from "#pages/layout.ts";
import type { Listed } from "./examples/request.ts";
import { errorsPart, guidePart } from "./guide-part.ts";
import { REFERENCE_STYLE } from "./look.ts";
import { objectsIn, objectPart } from "./object-part.ts";
import { operationPart, webhookPart } from "./operation-part.ts";
import { prose } from "./prose.ts";
import { SCRIPT, scriptElement, scriptPolicy } from "./script.ts";

/**
 * The API reference for people, made only from the document: one page that loads nothing else. It is complete
 * without its script, which adds the search, the copy buttons, and a language choice for the whole page.
 */
export async function referencePage(document: Document, documentPath: string): Promise<Response> {
  const { info, tags, servers } = document;
  const guides = guidesOf(servers[0].url);
  const groups: Html[] = [];
  for (const tag of tags) groups.push(await inTurn(() => groupPart(document, tag)));
  const objects = await inTurn(() =>
    objectsIn(document).map(([name, schema]) => objectPart(document, name, schema)),
  );
  const body = html`<a class="skip" href="#content">Skip to the reference</a>
    <div class="page">
      <nav aria-label="Contents">
        ${SEARCH}
        <div id="contents">
          <p><a href="#start">Start</a></p>
          <ul>
            ${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            <li><a href="#errors">Errors</a></li>
          </ul>
          ${tags.map((tag) => contentsOf(document, tag))}
          <p><a href="#objects">Objects</a></p>
        </div>
      </nav>
      <main id="content">
        <header id="start">
          <h1>${info.title} API</h1>
          <p class="soft">
            Version ${info.version} · <a href="${rootOf(servers[0].url) + documentPath}">OpenAPI document</a>
          </p>
        </header>
        <section class="opening">
          ${prose(INTRODUCTION)}
          <p>
            In the examples <code>KEY</code> in the environment stands for your API key, and
            <code>SESSION</code> for the cookie of a session.
          </p>
        </section>
        <section>
          <h2>Good to know</h2>
          ${guides.map(guidePart)} ${errorsPart()}
        </section>
        ${groups}
        <section id="objects">
          <h2>Objects</h2>
          <p>What bodies and answers are made of.</p>
          ${objects}
        </section>
      </main>
    </div>
    ${scriptElement(SCRIPT)}`;
  return pageResponse({ title: `${info.title} API reference`, body }, REFERENCE_STYLE, [
    scriptPolicy(SCRIPT),
  ]);
}

/**
 * Making the whole page takes longer than a request may block the event loop. So other work runs between its
 * parts.
 */
async function inTurn<T>(make: () => T): Promise<T> {
  await nextLoopTurn();
  return make();
}

/** The script shows this, because the script does the searching. */
const SEARCH = html`<search id="finder" hidden>
  <label for="query">Search <kbd>/</kbd></label>
  <input id="query" type="search" autocomplete="off" spellcheck="false" aria-describedby="count" />
  <p id="count" class="says" role="status"></p>
  <ul id="results"></ul>
</search>`;

function contentsOf(document: Document, { name }: Tag): Html {
  return html`<p><a href="#group-${name}">${titleOf(name)}</a></p>
    <ul>
      ${[
        ...operationsOf(document, name).map(({ operation }) => operation),
        ...webhooksOf(document, name).map(([, operation]) => operation),
      ].map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}
    </ul>`;
}

function groupPart(document: Document, { name, description }: Tag): Html {
  return html`<section id="group-${name}">
    <h2>${titleOf(name)}</h2>
    ${prose(description)} ${operationsOf(document, name).map((listed) => operationPart(document, listed))}
    ${webhooksOf(document, name).map(([webhook, operation]) => webhookPart(document, webhook, operation))}
  </section>`;
}

function operationsOf({ paths }: Document, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function webhooksOf({ webhooks }: Document, tag: string): [name: string, operation: Operation][] {
  return Object.entries(webhooks).flatMap(([name, operations]) =>
    Object.values(operations)
      .filter(({ tags }) => tags.includes(tag))
      .map((operation): [string, Operation] => [name, operation]),
  );
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
