import { html, Html } from "#pages/html.ts";

/** The same example in several languages, in the order of their tabs. */
export type Samples = { readonly [language: string]: string };

/**
 * Code behind tabs. The tabs are radio buttons, so they work by keyboard and without the page's script, which
 * only applies a choice to the whole page.
 * @param id unique on the page
 */
export function samplesPart(id: string, label: string, samples: Samples): Html {
  const languages = Object.keys(samples);
  return html`<div class="samples">
    ${
      languages.length > 1 &&
      html`<fieldset class="tabs">
        <legend class="unseen">Language: ${label}</legend>
        ${languages.map((language, index) => tab(id, language, index === 0))}
      </fieldset>`
    }
    ${Object.entries(samples).map(([language, code]) => codeBlock(`${label}, ${language}`, code, language))}
  </div>`;
}

const CHECKED = new Html("checked");

const tab = (id: string, language: string, isFirst: boolean): Html =>
  html`<label
    ><input type="radio" name="language-${id}" value="${language}" ${isFirst && CHECKED} /><span
      >${language}</span
    ></label
  >`;

/** Code that can be copied: the page's script adds the button. */
export function codeBlock(label: string, text: string, language: string | null = null): Html {
  return html`<div class="block" data-language="${language}">
    <pre class="code" tabindex="0" aria-label="${label}">${text}</pre>
  </div>`;
}
