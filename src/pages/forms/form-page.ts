import type { Language } from "#texts/language.ts";
import { filledIn, textsIn } from "#texts/texts.ts";
import type { FormField } from "./form-fields.ts";
import type { FormLook } from "./form-look.ts";
import { EDGE_CONTRAST, readable } from "#core/colour.ts";
import { html, type Html } from "#pages/html.ts";
import { cardPage } from "#pages/layout.ts";
import { senderPage, type SenderLook } from "#pages/sender-page.ts";

export type FormView = {
  readonly formName: string;
  readonly sender: SenderLook;
  /** The address to post to: a path on this host. */
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly look: FormLook;
  /** Holds the time when the form was shown, sealed. */
  readonly seal: { readonly name: string; readonly value: string };
  /** The name of a field that people cannot see. */
  readonly trapName: string;
  /** If the form is shown again: what was typed, and why it was not accepted. */
  readonly again?: {
    readonly status: number;
    readonly error: string;
    readonly typed: Readonly<Record<string, unknown>>;
  };
};

/**
 * A form on its own page, which works without JavaScript. Its referrer policy is less strict than that of our
 * other pages: only then does the browser say where a post comes from, and a workspace's allowed origins need
 * that.
 */
export function formPage(view: FormView): Response {
  const { formName, sender, look, again } = view;
  const { form: texts } = textsIn(sender.language);
  const page = {
    status: again?.status ?? 200,
    title: again ? filledIn(texts.checkTitle, { form: formName }) : formName,
    headers: { "Referrer-Policy": "same-origin" },
    content: html`<h1><bdi>${formName}</bdi></h1>
      ${again !== undefined && html`<p class="error" role="alert" id="error">${again.error}</p>`}
      <form method="post" action="${view.action}">
        ${view.fields.map((field) => labelled(field, sender.language, again))}
        <div class="trap" aria-hidden="true">
          <label
            >${texts.trap} <input name="${view.trapName}" tabindex="-1" autocomplete="off" ${LEFT_ALONE}
          /></label>
        </div>
        <input type="hidden" name="${view.seal.name}" value="${view.seal.value}" />
        <button type="submit">${look.buttonText}</button>
      </form>`,
  };
  return senderPage(sender, page, FORM_STYLE + lookStyle(look));
}

/** Asks password managers to leave a field alone, each in its own words: they do not listen to autocomplete. */
const LEFT_ALONE = html`data-1p-ignore data-lpignore="true" data-bwignore data-form-type="other"`;

function labelled(
  { name, label, type, autocomplete, maxLength, isRequired }: FormField,
  language: Language,
  again: FormView["again"],
): Html {
  const typed = again?.typed[name];
  const isWrong = again !== undefined && name === "email";
  return html`<label for="field-${name}"
      >${label}${!isRequired && html` <span class="soft">${textsIn(language).page.optional}</span>`}</label
    >
    <input
      id="field-${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      value="${typeof typed === "string" ? typed : ""}"
      ${isRequired && html`required`}
      ${isWrong && html`aria-describedby="error"`}
    />`;
}

/** The form's own colours come after the page's, so that they win in dark and light mode. */
function lookStyle({ button, onButton, hasOwnButton, card, cornerRadiusPx, fontSizePx }: FormLook): string {
  const ground = card?.ground;
  const edge = ground === undefined ? "transparent" : readable(button, [ground], EDGE_CONTRAST);
  const act = hasOwnButton ? `--act: ${button}; --on-act: ${onButton}; --edge: ${edge};` : "";
  const colours =
    card === null
      ? ""
      : `color-scheme: light; --card: ${card.ground}; --ink: ${card.ink}; --soft: ${card.soft}; --line: ${card.line}; --field: ${card.line};`;
  const focus = card === null ? "" : "main :focus-visible { outline-color: var(--ink) }";
  return `
:root { ${colours} ${act} --radius: ${cornerRadiusPx}px }
main { font-size: ${fontSizePx}px }
${focus}
`;
}

const FORM_STYLE = `
main { color: var(--ink); border-radius: max(.75rem, var(--radius)) }
input { border-radius: var(--radius) }
button { min-height: 2.75em; margin: .25rem 0 0; border-radius: var(--radius) }
.error { padding: .75rem 1rem; border: 1px solid #b3261e; border-radius: var(--radius); background: #fdeceb; color: #7f1d17 }
@supports (color: light-dark(#fff, #000)) {
  .error { border-color: light-dark(#b3261e, #b9574f); background: light-dark(#fdeceb, #3d1f21); color: light-dark(#7f1d17, #ffcfca) }
}
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
`;

export type AnswerView = {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Shown below the text, smaller. */
  readonly note?: string | null | undefined;
  readonly look: SenderLook;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mayBeFramed?: boolean;
};

/** The result of a submission: thanks, or why it was not accepted. */
export function answerPage({ look, message, note, ...page }: AnswerView): Response {
  return senderPage(look, { ...page, content: answerContent(look.language, { message, note }) });
}

/** The same if nobody knows whose form it was. */
export function noSenderPage(language: Language, view: Omit<AnswerView, "look">): Response {
  const { message, note, ...page } = view;
  return cardPage({
    ...page,
    language,
    body: html`<main>${answerContent(language, { message, note })}</main>`,
  });
}

const answerContent = (language: Language, { message, note }: Pick<AnswerView, "message" | "note">): Html =>
  html`<h1><bdi>${message}</bdi></h1>
    ${note ? html`<p>${note}</p>` : null}
    <p class="small">${textsIn(language).page.close}</p>`;
