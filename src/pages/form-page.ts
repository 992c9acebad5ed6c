import type { FormField } from "./form-fields.ts";
import type { FormLook } from "./form-look.ts";
import { html, type Html } from "./html.ts";
import { CARD_STYLE, cardPage, pageResponse } from "./layout.ts";

export type FormView = {
  readonly formName: string;
  readonly workspaceName: string;
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
  const { formName, workspaceName, look, again } = view;
  const page = {
    status: again?.status ?? 200,
    title: again ? `Please check: ${formName}` : formName,
    headers: { "Referrer-Policy": "same-origin" },
    body: html`<main>
      <p class="from"><bdi>${workspaceName}</bdi></p>
      <h1><bdi>${formName}</bdi></h1>
      ${again !== undefined && html`<p class="error" role="alert" id="error">${again.error}</p>`}
      <form method="post" action="${view.action}">
        ${view.fields.map((field) => labelled(field, again))}
        <div class="trap" aria-hidden="true">
          <label>Leave this empty <input name="${view.trapName}" tabindex="-1" autocomplete="off" /></label>
        </div>
        <input type="hidden" name="${view.seal.name}" value="${view.seal.value}" />
        <button type="submit">${look.buttonText}</button>
      </form>
    </main>`,
  };
  return pageResponse(page, FORM_STYLE + lookStyle(look));
}

function labelled(
  { name, label, type, autocomplete, maxLength, isRequired }: FormField,
  again: FormView["again"],
): Html {
  const typed = again?.typed[name];
  const isWrong = again !== undefined && name === "email";
  return html`<label for="field-${name}"
      >${label}${!isRequired && html` <span class="soft">(optional)</span>`}</label
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
  const act = hasOwnButton ? `--act: ${button}; --on-act: ${onButton};` : "";
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

const FORM_STYLE = `${CARD_STYLE}
main { color: var(--ink); border-radius: max(.75rem, var(--radius)) }
input { border-radius: var(--radius) }
button { min-height: 2.75em; margin: .25rem 0 0; border-radius: var(--radius) }
.error { padding: .75rem 1rem; border: 1px solid #b3261e; border-radius: var(--radius); background: #fdeceb; color: #7f1d17 }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
`;

export type AnswerView = {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Shown below the text, smaller. */
  readonly note?: string | null;
  readonly workspaceName?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The result of a submission: thanks, or why it was not accepted. */
export function answerPage({
  status,
  title,
  message,
  note,
  workspaceName,
  headers = {},
}: AnswerView): Response {
  return cardPage({
    status,
    title,
    headers,
    body: html`<main>
      ${workspaceName ? html`<p class="from"><bdi>${workspaceName}</bdi></p>` : null}
      <h1><bdi>${message}</bdi></h1>
      ${note ? html`<p>${note}</p>` : null}
      <p class="small">You can close this page.</p>
    </main>`,
  });
}
