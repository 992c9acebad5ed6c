import { html, type Html } from "./html.ts";
import { cardPage } from "./layout.ts";

export type ConfirmView = {
  readonly workspaceName: string;
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
    "Confirm your subscription",
    html`<h1>Confirm your subscription</h1>
      <p>
        Press the button, and <strong><bdi>${view.shownAddress}</bdi></strong> gets the emails of
        <bdi>${view.workspaceName}</bdi>.
      </p>
      <form method="post"><button type="submit">Confirm subscription</button></form>
      <p class="small">If you did not ask for this, just close this page: nothing more will come.</p>`,
  );
}

export function confirmedPage(view: ConfirmView): Response {
  return page(
    view,
    200,
    "You are subscribed",
    html`<h1>You are subscribed</h1>
      <p role="status">
        <strong><bdi>${view.shownAddress}</bdi></strong> is confirmed and gets the emails of
        <bdi>${view.workspaceName}</bdi>.
      </p>
      <p class="small">Every email has a link to unsubscribe. You can close this page.</p>`,
  );
}

export function expiredPage(view: ConfirmView): Response {
  return page(
    view,
    410,
    "This link has expired",
    html`<h1>This link has expired</h1>
      <p>A confirmation link works once, and for ${view.linkValidDays} days. Nothing was changed.</p>
      ${again(view.formPath)}`,
  );
}

/** The person opted out, bounced or was deleted since. A link never reverses that. */
export function notSubscribedPage(view: ConfirmView): Response {
  return page(
    view,
    410,
    "This link no longer works",
    html`<h1>This link no longer works</h1>
      <p>
        Since it was sent, <strong><bdi>${view.shownAddress}</bdi></strong> was taken off the emails of
        <bdi>${view.workspaceName}</bdi>, and a link cannot undo that.
      </p>
      <p>To hear from <bdi>${view.workspaceName}</bdi> again, please ask them.</p>`,
  );
}

function again(formPath: string | null): Html {
  return formPath === null
    ? html`<p>Please sign up once more where you found the form.</p>`
    : html`<p>To get a new link, <a href="${formPath}">sign up once more</a>.</p>`;
}

function page({ workspaceName }: ConfirmView, status: number, title: string, content: Html): Response {
  return cardPage({
    status,
    title: `${title} – ${workspaceName}`,
    body: html`<main>
      <p class="from"><bdi>${workspaceName}</bdi></p>
      ${content}
    </main>`,
  });
}
