import { html, type Html } from "./html.ts";
import { cardPage } from "./layout.ts";

export type UnsubscribeView = {
  readonly workspaceName: string;
  /** Shortened, because a forwarded mail shows this page to others. */
  readonly shownAddress: string;
  /** Whether this link was used before. */
  readonly isUsed: boolean;
};

/** Longer reasons are cut off. */
export const UNSUBSCRIBE_REASON_MAX = 300;

/**
 * One button that posts to the page's own address, as RFC 8058 asks of mail programs. Showing the page
 * changes nothing.
 */
export function unsubscribePage({ workspaceName, shownAddress, isUsed }: UnsubscribeView): Response {
  return cardPage({
    title: `Unsubscribe from ${workspaceName}`,
    body: html`<main>
      <p class="from"><bdi>${workspaceName}</bdi></p>
      <h1>Unsubscribe from these emails?</h1>
      ${isUsed && USED_BEFORE}
      <p>
        Press the button, and no more newsletters or other marketing emails are sent to
        <strong><bdi>${shownAddress}</bdi></strong
        >, from any list. It takes effect at once.
      </p>
      <form method="post">
        <label for="reason">Why? <span class="soft">(optional, for the sender)</span></label>
        <input id="reason" name="reason" maxlength="${UNSUBSCRIBE_REASON_MAX}" autocomplete="off" />
        <button type="submit">Unsubscribe</button>
      </form>
      <p class="small">
        This cannot be undone with a click: to get these emails again, you would have to ask the sender. To
        keep getting them, just close this page.
      </p>
    </main>`,
  });
}

const USED_BEFORE = html`<p role="status">
  <strong>This address was unsubscribed with this link before.</strong> If emails still come, press the button
  again.
</p>`;

export function unsubscribedPage({ workspaceName, shownAddress }: UnsubscribeView): Response {
  return cardPage({
    title: `Unsubscribed from ${workspaceName}`,
    body: html`<main>
      <p class="from"><bdi>${workspaceName}</bdi></p>
      <h1>You are unsubscribed</h1>
      <p role="status">
        From now on, no newsletters or other marketing emails are sent to
        <strong><bdi>${shownAddress}</bdi></strong
        >.
      </p>
      <p class="small">
        An answer to something you do yourself, such as a receipt, may still come. You can close this page.
      </p>
    </main>`,
  });
}

/**
 * The answer to a link that is incomplete, changed or never was ours. It is the same in all cases, so that it
 * reveals nothing.
 */
export function brokenLinkPage(): Response {
  return cardPage({ status: 404, title: "This link does not work", body: BROKEN_LINK });
}

const BROKEN_LINK: Html = html`<main>
  <h1>This link does not work</h1>
  <p>
    It is incomplete or was altered on its way. Please open it again from the email, or copy all of it: the
    line may be broken in two.
  </p>
  <p class="small">To stop receiving an email, use the “Unsubscribe” link at its end.</p>
</main>`;
