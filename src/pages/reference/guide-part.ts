import { ERROR_CODES, ERRORS } from "#http/openapi/error-codes.ts";
import type { Guide } from "#http/openapi/guides.ts";
import { statusOf } from "#http/errors.ts";
import { html, type Html } from "#pages/html.ts";
import { inline, prose } from "./prose.ts";
import { samplesPart } from "./samples-part.ts";

/** Text on the left and programs on the right, as for an operation. */
export function guidePart({ id, title, text, code }: Guide): Html {
  return html`<article id="${id}" class="entry">
    <h3>${title}</h3>
    <div class="columns">
      <div>${prose(text.trim())}</div>
      <div>${samplesPart(id, title, code)}</div>
    </div>
  </article>`;
}

/** Every error code: when it occurs and what to do. */
export function errorsPart(): Html {
  return html`<article id="errors" class="entry">
    <h3>Errors</h3>
    ${prose(
      'An error is `{ "error": { "code", "message" } }`. `code` is for programs and stays what it is; `message` is for people, says what is wrong and may change. The public form answers `{ "error": "…" }` instead, for the person in front of it.',
    )}
    <dl class="errors">
      ${ERROR_CODES.map(
        (code) =>
          html`<div id="error-${code}">
            <dt><span class="status">${statusOf(code)}</span> <code>${code}</code></dt>
            <dd>
              <p>${inline(ERRORS[code].when)}</p>
              <p class="says"><strong>What to do:</strong> ${inline(ERRORS[code].advice)}</p>
            </dd>
          </div>`,
      )}
    </dl>
  </article>`;
}
