import { filledIn, textsIn, type Texts } from "#texts/texts.ts";
import { html, type Html } from "./html.ts";
import { senderPage, type SenderLook } from "./sender-page.ts";
import { important, isolated, sentence } from "./sentence.ts";

export type ConfirmView = {
  readonly look: SenderLook;
  /** Shortened, because a forwarded mail shows this page to others. */
  readonly shownAddress: string;
  readonly linkValidDays: number;
  /** Where to sign up again, a path on this host; null if the form is gone. */
  readonly formPath: string | null;
};

/**
 * One button that posts to the page's own address. Showing the page changes nothing, because scanners follow
 * links.
 */
export function confirmPage(view: ConfirmView): Response {
  return page(
    view,
    200,
    (texts) => texts.heading,
    (texts, places) =>
      html`<p>${sentence(texts.explain, places)}</p>
        <form method="post"><button type="submit">${texts.button}</button></form>
        <p class="small">${texts.notYou}</p>`,
  );
}

export function confirmedPage(view: ConfirmView): Response {
  const { close } = textsIn(view.look.language).page;
  return page(
    view,
    200,
    (texts) => texts.doneHeading,
    (texts, places) =>
      html`<p role="status">${sentence(texts.done, places)}</p>
        <p class="small">${texts.wayOut} ${close}</p>`,
  );
}

export function expiredPage(view: ConfirmView): Response {
  const days = String(view.linkValidDays);
  return page(
    view,
    410,
    (texts) => texts.expiredHeading,
    (texts) =>
      html`<p>${filledIn(texts.expired, { days })}</p>
        ${again(texts, view.formPath)}`,
  );
}

/** The person opted out, bounced or was deleted since. A link never reverses that. */
export function notSubscribedPage(view: ConfirmView): Response {
  return page(
    view,
    410,
    (texts) => texts.deadHeading,
    (texts, places) =>
      html`<p>${sentence(texts.dead, places)}</p>
        <p>${sentence(texts.askSender, places)}</p>`,
  );
}

const again = (texts: Texts["confirm"], formPath: string | null): Html =>
  formPath === null
    ? html`<p>${texts.findForm}</p>`
    : html`<p><a href="${formPath}">${texts.signUpAgain}</a></p>`;

type Places = { readonly address: Html; readonly sender: Html };

function page(
  { look, shownAddress }: ConfirmView,
  status: number,
  headingOf: (texts: Texts["confirm"]) => string,
  contentOf: (texts: Texts["confirm"], places: Places) => Html,
): Response {
  const { confirm: texts } = textsIn(look.language);
  const heading = headingOf(texts);
  const places = { address: important(shownAddress), sender: isolated(look.name) };
  return senderPage(look, {
    status,
    title: `${heading} – ${look.name}`,
    content: html`<h1>${heading}</h1>
      ${contentOf(texts, places)}`,
  });
}
