import type { FormField } from "./form-fields.ts";
import type { FormLook } from "./form-look.ts";
import { html, type Html } from "./html.ts";
import { CARD_STYLE, cardPage, pageResponse } from "./layout.ts";

export type FormView = {
  readonly formName: string;
  readonly workspaceName: string;
  /** Where it is posted to: a path on this host. */
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly look: FormLook;
  /** Carries when the form was shown. */
  readonly seal: { readonly name: string; readonly value: string };
  /** A field no person sees. */
  readonly trapName: string;
  /** What was typed, and why it was not taken: the form is shown again. */
  readonly again?: {
    readonly status: number;
    readonly error: string;
    readonly typed: Readonly<Record<string, unknown>>;
  };
};

/**
 * A form on a page of its own, good without JavaScript. The browser says where a post comes from only under a milder
 * referrer policy than our other pages have; a workspace's allowed origins rely on that.
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
  return html`<label for="${name}"
      >${label}${!isRequired && html` <span class="soft">(optional)</span>`}</label
    >
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      value="${typeof typed === "string" ? typed : ""}"
      ${isRequired && html`required`}
      ${isWrong && html`aria-describedby="error"`}
    />`;
}

/** Each form's own colours come after the page's, so that they win, dark or light. */
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
  /** Said below, smaller. */
  readonly note?: string | null;
  readonly workspaceName?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What became of a submission: thanks, or why it was not taken. */
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
