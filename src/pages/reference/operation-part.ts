import {
  isReference,
  schemaOf,
  type Answer,
  type Document,
  type Operation,
  type Parameter,
} from "#http/openapi/openapi.ts";
import { html, Html } from "#pages/html.ts";
import { curlExample } from "./curl.ts";
import { inline, json, prose } from "./prose.ts";
import { memberLine, members, says } from "./schema-part.ts";

export type Listed = { readonly method: string; readonly path: string; readonly operation: Operation };

/** One route: what it does and takes on the left, what is sent and answered on the right. */
export function operationPart(document: Document, listed: Listed): Html {
  const { method, path, operation } = listed;
  const answers = Object.entries(operation.responses).map(([status, answer]): [number, Answer] => [
    Number(status),
    resolved(document, answer),
  ]);
  return html`<article id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    <div class="columns">
      <div>
        ${prose(operation.description)}
        ${operation.security !== undefined && html`<p class="says">Needs no key.</p>`}
        ${parametersPart("In the path", "path", operation)}
        ${parametersPart("In the query", "query", operation)}
        ${parametersPart("Headers", "header", operation)} ${bodyPart(document, operation)}
        <h4>Answers</h4>
        <dl class="answers">${answers.map(([status, answer]) => answerPart(document, status, answer))}</dl>
      </div>
      <div>
        <pre class="code" tabindex="0" aria-label="Request: ${operation.summary}">
${curlExample(document, listed)}</pre>
        ${answers
          .filter(([status]) => status < 400)
          .map(([status, answer], index) => examplePart(status, answer, index === 0))}
      </div>
    </div>
  </article>`;
}

function resolved({ components }: Document, answer: Operation["responses"][string]): Answer {
  return isReference(answer) ? components.responses[answer.$ref.split("/").at(-1)!]! : answer;
}

function parametersPart(title: string, place: Parameter["in"], { parameters = [] }: Operation): Html | null {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return null;
  return html`<h4>${title}</h4>
    <ul class="members">
      ${here.map(
        ({ name, required, description, schema }) =>
          html`<li>${memberLine(name, schema, required)} ${says({ ...schema, description })}</li>`,
      )}
    </ul>`;
}

function bodyPart(document: Document, { requestBody }: Operation): Html | null {
  if (requestBody === undefined) return null;
  const [content] = Object.values(requestBody.content);
  const types = Object.keys(requestBody.content).join(", ");
  return html`<h4>Body <span class="type">${types}</span></h4>
    ${prose(requestBody.description)} ${members(schemaOf(document, content!.schema), true)}`;
}

/** A success with its fields; an error with its codes. */
function answerPart(
  document: Document,
  status: number,
  { description, content = {}, headers = {} }: Answer,
): Html {
  const [first] = Object.entries(content);
  const own = Object.keys(headers).filter((name) => name !== "X-Request-Id");
  return html`<div>
    <dt class="${status < 400 ? "good" : "bad"}">${status}</dt>
    <dd>
      ${description.split("\n\n").map((line) => html`<p>${inline(line)}</p>`)}
      ${own.length > 0 && html`<p class="says">Header ${own.map((name) => html`<code>${name}</code> `)}</p>`}
      ${status < 400 && first !== undefined && first[0] === "application/json" && members(schemaOf(document, first[1].schema), false)}
    </dd>
  </div>`;
}

const OPEN = new Html("open");

function examplePart(status: number, { content = {} }: Answer, isOpen: boolean): Html | null {
  const example = content["application/json"]?.example;
  if (example === undefined) return null;
  return html`<details ${isOpen && OPEN}>
    <summary>Answer ${status}</summary>
    <pre class="code" tabindex="0" aria-label="Answer ${status}">${json(example)}</pre>
  </details>`;
}
