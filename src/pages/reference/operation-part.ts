import { present } from "#core/present.ts";
import {
  componentIn,
  isReference,
  schemaOf,
  type Answer,
  type Document,
  type MediaType,
  type Operation,
  type Parameter,
} from "#http/openapi/openapi.ts";
import { html, Html } from "#pages/html.ts";
import { curlExample } from "./examples/curl.ts";
import { javascriptExample } from "./examples/javascript.ts";
import { pythonExample } from "./examples/python.ts";
import { exampleRequest, type Listed } from "./examples/request.ts";
import { inline, json, prose } from "./prose.ts";
import { codeBlock, samplesPart } from "./samples-part.ts";
import { memberLine, members } from "./schema-part.ts";

/** One route: what it does and accepts on the left, examples of request and answer on the right. */
export function operationPart(document: Document, listed: Listed): Html {
  const { method, path, operation } = listed;
  return entry(
    operation,
    html`<p class="route">
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      <code class="says" title="operationId">${operation.operationId}</code>
    </p>`,
    description(document, operation),
    html`${requestSamples(document, listed)}
    ${answersOf(document, operation)
      .filter(([status]) => Number(status) < 400)
      .map(([status, answer], index) => examplePart(`Answer ${status}`, answer, index === 0))}`,
  );
}

/** A request that this service makes. The reader does not call it, but must expect it. */
export function webhookPart(document: Document, name: string, operation: Operation): Html {
  const headers = (operation.parameters ?? []).map(
    ({ name: header, example }) => `${header}: ${String(example)}`,
  );
  const body = present(operation.requestBody?.content["application/json"], "JSON body of a webhook");
  return entry(
    operation,
    html`<p class="route">
      <span class="method post">POST</span> <span class="says">to an address of yours</span>
      <code class="says">${name}</code>
    </p>`,
    description(document, operation),
    html`<p class="says">Headers</p>
      ${codeBlock("Headers", headers.join("\n"))}
      <p class="says">Body</p>
      ${codeBlock("Body", json(body.example))}`,
  );
}

const entry = ({ operationId, summary }: Operation, route: Html, left: Html, right: Html): Html =>
  html`<article id="${operationId}" class="entry">
    <h3>${summary}</h3>
    ${route}
    <div class="columns">
      <div>${left}</div>
      <div>${right}</div>
    </div>
  </article>`;

const description = (document: Document, operation: Operation): Html =>
  html`${prose(operation.description)}
    ${operation.security !== undefined && !isAsked(document, operation) && html`<p class="says">Needs no key.</p>`}
    ${parametersPart(document, "In the path", "path", operation)}
    ${parametersPart(document, "In the query", "query", operation)}
    ${parametersPart(document, "Headers", "header", operation)} ${bodyPart(document, operation)}
    <h4>Answers</h4>
    <dl class="answers">
      ${answersOf(document, operation).map(([status, answer]) => answerPart(document, status, answer))}
    </dl>`;

const isAsked = ({ webhooks }: Document, operation: Operation): boolean =>
  Object.values(webhooks).some((methods) => Object.values(methods).includes(operation));

function requestSamples(document: Document, listed: Listed): Html {
  const { operationId, summary } = listed.operation;
  const request = exampleRequest(document, listed);
  return samplesPart(operationId, summary, {
    curl: curlExample(request),
    JavaScript: javascriptExample(request),
    Python: pythonExample(request),
  });
}

const answersOf = ({ components }: Document, { responses }: Operation): [status: string, Answer][] =>
  Object.entries(responses).map(([status, answer]) => [
    status,
    isReference(answer) ? present(components.responses[componentIn(answer.$ref)], answer.$ref) : answer,
  ]);

function parametersPart(
  document: Document,
  title: string,
  place: Parameter["in"],
  { parameters = [] }: Operation,
): Html | null {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return null;
  return html`<h4>${title}</h4>
    <ul class="members">
      ${here.map(
        ({ name, required, description: text, schema }) =>
          html`<li>${memberLine(document, name, { ...schema, description: text }, required)}</li>`,
      )}
    </ul>`;
}

function bodyPart(document: Document, { requestBody }: Operation): Html | null {
  if (requestBody === undefined) return null;
  const [content] = Object.values(requestBody.content);
  const types = Object.keys(requestBody.content).join(", ");
  return html`<h4>Body <span class="type">${types}</span></h4>
    ${prose(requestBody.description)}
    ${members(document, schemaOf(document, present(content, "media type of a body").schema), true)}`;
}

/** A success with its fields, or an error with its codes and links to what to do about them. */
function answerPart(document: Document, status: string, answer: Answer): Html {
  const { description: text, content = {}, headers = {} } = answer;
  const body = content["application/json"];
  const isError = Number(status) >= 400;
  const own = Object.keys(headers).filter((name) => name !== "X-Request-Id");
  return html`<div>
    <dt class="${isError ? "bad" : "good"}">${status}</dt>
    <dd>
      ${
        body?.examples === undefined
          ? text.split("\n\n").map((line) => html`<p>${inline(line)}</p>`)
          : codesPart(body.examples)
      }
      ${own.length > 0 && html`<p class="says">Header ${own.map((name) => html`<code>${name}</code> `)}</p>`}
      ${!isError && body !== undefined && members(document, schemaOf(document, body.schema), false)}
    </dd>
  </div>`;
}

const codesPart = (examples: NonNullable<MediaType["examples"]>): Html[] =>
  Object.entries(examples).map(
    ([code, { summary }]) =>
      html`<p>
        <a href="#error-${code}"><code>${code}</code></a> ${inline(summary)}
      </p>`,
  );

function examplePart(title: string, { content = {} }: Answer, isOpen: boolean): Html | null {
  const example = content["application/json"]?.example;
  if (example === undefined) return null;
  return html`<details ${isOpen && OPEN}>
    <summary>${title}</summary>
    ${codeBlock(title, json(example))}
  </details>`;
}

const OPEN = new Html("open");
