import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { filledIn, textsIn, type Texts } from "#texts/texts.ts";
import { html, type Html } from "./html.ts";
import { senderPage, type SenderLook } from "./sender-page.ts";
import { important, isolated, sentence } from "./sentence.ts";

type ShownList = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
};

type Reader =
  | {
      readonly kind: "chooses";
      readonly contact: { readonly status: string; readonly firstName: string; readonly lastName: string };
    }
  | { readonly kind: "isOut"; readonly canLeave: boolean };

export type PreferencesView = {
  readonly look: SenderLook;
  /** Shortened, because a forwarded mail shows this page to others. */
  readonly shownAddress: string;
  readonly reader: Reader;
  readonly lists: readonly ShownList[];
  /** Whether the reader has just pressed the button. */
  readonly isSaved: boolean;
  /** How the form's fields are called, and the value of the button that leaves everything. */
  readonly fields: Readonly<
    Record<"lists" | "shown" | "ticked" | "firstName" | "lastName" | "leave", string>
  >;
  readonly leaveEverything: string;
};

/**
 * One form that posts to the page's own address. Showing the page changes nothing. "Save" stands before the
 * button that leaves everything, so that the Enter key saves.
 */
export function preferencesPage(view: PreferencesView): Response {
  const { look, reader } = view;
  const { preferences: texts } = textsIn(look.language);
  return senderPage(
    look,
    {
      title: filledIn(texts.title, { sender: look.name }),
      content: reader.kind === "chooses" ? choosing(view, reader.contact) : out(view, reader.canLeave),
    },
    STYLE,
  );
}

function choosing(
  { look, shownAddress, lists, isSaved, fields, leaveEverything }: PreferencesView,
  contact: Extract<Reader, { kind: "chooses" }>["contact"],
): Html {
  const { preferences: texts, form } = textsIn(look.language);
  return html`<h1>${texts.heading}</h1>
    ${isSaved && html`<p class="saved" role="status">${texts.saved}</p>`}
    ${lists.length > 0 && html`<p>${sentence(texts.explain, { address: important(shownAddress) })}</p>`}
    ${contact.status === "PENDING" && html`<p>${texts.pending}</p>`}
    <form method="post">
      ${
        lists.length > 0 &&
        html`<fieldset>
          <legend>${texts.lists}</legend>
          ${lists.map((list) => box(list, fields.lists))}
        </fieldset>`
      }
      ${ids(fields.shown, lists)}
      ${ids(
        fields.ticked,
        lists.filter(({ isOn }) => isOn),
      )}
      <fieldset>
        <legend>${texts.name}</legend>
        ${nameField(fields.firstName, form.firstName, contact.firstName, "given-name")}
        ${nameField(fields.lastName, form.lastName, contact.lastName, "family-name")}
      </fieldset>
      <button type="submit">${texts.save}</button>
      ${leaving(texts, look, fields.leave, leaveEverything)}
    </form>`;
}

const ids = (field: string, lists: readonly ShownList[]): Html =>
  html`<input type="hidden" name="${field}" value="${lists.map(({ id }) => id).join(" ")}" />`;

const box = ({ id, name, description, isOn }: ShownList, field: string): Html =>
  html`<label class="choice">
    <input type="checkbox" name="${field}" value="${id}" ${isOn && html`checked`} />
    <span
      ><bdi class="list">${name}</bdi>
      ${description !== "" && html`<bdi class="about">${description}</bdi>`}</span
    >
  </label>`;

const nameField = (field: string, label: string, value: string, autocomplete: string): Html =>
  html`<label for="field-${field}">${label}</label>
    <input
      id="field-${field}"
      name="${field}"
      type="text"
      autocomplete="${autocomplete}"
      maxlength="${NAME_CHARACTERS_MAX}"
      value="${value}"
    />`;

const leaving = (texts: Texts["preferences"], look: SenderLook, field: string, value: string): Html =>
  html`<div class="leave">
    <h2>${texts.leaveHeading}</h2>
    <p class="small">${sentence(texts.leaveExplain, { sender: isolated(look.name) })}</p>
    <button class="quiet" type="submit" name="${field}" value="${value}">${texts.leave}</button>
  </div>`;

function out({ look, shownAddress, fields, leaveEverything }: PreferencesView, canLeave: boolean): Html {
  const { preferences: texts } = textsIn(look.language);
  const places = { address: important(shownAddress), sender: isolated(look.name) };
  return html`<h1>${texts.outHeading}</h1>
    <p role="status">${sentence(texts.out, places)}</p>
    <p>${texts.askSender}</p>
    ${canLeave && html`<form method="post">${leaving(texts, look, fields.leave, leaveEverything)}</form>`}`;
}

const STYLE = `
fieldset { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0 }
fieldset > :last-child { margin-bottom: 0 }
legend { margin: 0 0 .5rem; padding: 0; font-weight: 650; font-size: 1.0625rem }
label.choice { display: grid; grid-template-columns: 1.375rem 1fr; gap: .75rem; align-items: start; margin: 0 0 .5rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; font-weight: 400; cursor: pointer }
label.choice:has(:checked) { border-color: var(--link) }
label.choice input { width: 1.375rem; height: 1.375rem; min-height: 0; margin: .0625rem 0 0; padding: 0; accent-color: var(--link) }
.list { display: block; font-weight: 600 }
.about { display: block; color: var(--soft); font-size: .9375rem; white-space: pre-line }
.saved { padding: .75rem 1rem; border: 1px solid #1a7f4b; border-radius: .5rem; background: #e6f5ec; color: #0c5230; font-weight: 600 }
.leave { margin: .5rem 0 0; padding: 1.25rem 0 0; border-top: 1px solid var(--line) }
h2 { margin: 0 0 .5rem; font-size: 1.0625rem; line-height: 1.3; font-weight: 650 }
button.quiet { margin: 0; background: transparent; color: var(--ink); border-color: var(--field) }
button.quiet:hover { background: var(--ground); filter: none }
`;
