import { preferredLanguage } from "#texts/language.ts";
import { textsIn, filledIn } from "#texts/texts.ts";
import { html, type Html } from "./html.ts";
import { cardPage } from "./layout.ts";
import { senderPage, type SenderLook } from "./sender-page.ts";
import { important, sentence } from "./sentence.ts";

export type UnsubscribeView = {
  readonly look: SenderLook;
  /** Shortened, because a forwarded mail shows this page to others. */
  readonly shownAddress: string;
  /** Whether this link was used before. */
  readonly isUsed: boolean;
  /** The page where readers choose, a path on this host; null if there is nothing to choose. */
  readonly preferencesPath: string | null;
};

/** Longer reasons are cut off. */
export const UNSUBSCRIBE_REASON_MAX = 300;

/**
 * One button that posts to the page's own address, as RFC 8058 asks of mail programs. Showing the page
 * changes nothing.
 */
export function unsubscribePage({ look, shownAddress, isUsed, preferencesPath }: UnsubscribeView): Response {
  const { unsubscribe: texts } = textsIn(look.language);
  return senderPage(look, {
    title: filledIn(texts.title, { sender: look.name }),
    content: html`<h1>${texts.heading}</h1>
      ${isUsed && html`<p role="status"><strong>${texts.usedBefore}</strong> ${texts.pressAgain}</p>`}
      <p>${sentence(texts.explain, { address: important(shownAddress) })}</p>
      <form method="post">
        <label for="reason">${texts.why} <span class="soft">${texts.whyOptional}</span></label>
        <input id="reason" name="reason" maxlength="${UNSUBSCRIBE_REASON_MAX}" autocomplete="off" />
        <button type="submit">${texts.button}</button>
      </form>
      ${preferencesPath !== null && html`<p><a href="${preferencesPath}">${texts.chooseInstead}</a></p>`}
      <p class="small">${texts.noWayBack}</p>`,
  });
}

export function unsubscribedPage({
  look,
  shownAddress,
}: Pick<UnsubscribeView, "look" | "shownAddress">): Response {
  const { unsubscribe: texts, page } = textsIn(look.language);
  return senderPage(look, {
    title: filledIn(texts.doneTitle, { sender: look.name }),
    content: html`<h1>${texts.doneHeading}</h1>
      <p role="status">${sentence(texts.done, { address: important(shownAddress) })}</p>
      <p class="small">${texts.stillComes} ${page.close}</p>`,
  });
}

/**
 * The answer to a link that is incomplete, changed or never was ours. It is the same in all cases, so that it
 * reveals nothing. Nobody knows whose it was, so it speaks the language of the reader's browser.
 */
export function brokenLinkPage({ headers }: Pick<Request, "headers">): Response {
  const language = preferredLanguage(headers.get("accept-language"));
  const { brokenLink: texts } = textsIn(language);
  const body: Html = html`<main>
    <h1>${texts.heading}</h1>
    <p>${texts.why}</p>
    <p class="small">${texts.wayOut}</p>
  </main>`;
  return cardPage({ status: 404, title: texts.heading, language, body });
}

/** The answer to a link of a test mail, which belongs to nobody. */
export function testMailPage({ headers }: Pick<Request, "headers">): Response {
  const language = preferredLanguage(headers.get("accept-language"));
  const { testMail: texts } = textsIn(language);
  const body: Html = html`<main>
    <h1>${texts.heading}</h1>
    <p>${texts.explain}</p>
  </main>`;
  return cardPage({ title: texts.heading, language, body });
}
