import { html, type Html } from "#pages/html.ts";
import type { CapturedSummary } from "./captured.ts";
import { mailboxPage, sizeOf, subjectOf, timeOf } from "./look.ts";

type MailboxView = {
  /** The path of the mailbox, without a slash at the end. */
  readonly at: string;
  readonly mails: readonly CapturedSummary[];
  /** Whether this page shows the newest mail. */
  readonly isFirst: boolean;
  /** Whether it shows the mail of every workspace. */
  readonly isWhole: boolean;
  /** Where the next page starts, with older mail; null on the last page. */
  readonly olderThan: number | null;
};

export function listPage(view: MailboxView): Response {
  const { at, mails, isFirst, isWhole, olderThan } = view;
  return mailboxPage(
    "Mailbox",
    html` <header>
        <h1>Mailbox</h1>
        <p>
          <a href="${consoleBeside(at)}">Console</a> · <a href="${at}">${isFirst ? "Reload" : "Newest"}</a>
        </p>
      </header>
      <p class="soft">
        Mail is captured here, not delivered: the service runs without <code>SMTP_URL</code>. The newest 1,000
        messages are kept. ${!isWhole && "Your key shows those of its workspace."}
      </p>
      ${
        mails.length > 0
          ? html`<ol class="card mails">
              ${mails.map((mail) => row(at, mail))}
            </ol>`
          : nothing(isFirst)
      }
      ${olderThan !== null && html`<p class="pages"><a href="${at}?before=${olderThan}">Older</a></p>`}`,
  );
}

/** Both stand under the same path. */
const consoleBeside = (at: string): string => at.replace(/mailbox$/, "console");

function row(at: string, { number, from, to, subject, receivedAt, sizeBytes }: CapturedSummary): Html {
  return html`<li>
    <a href="${at}/${number}">
      <strong><bdi>${subjectOf(subject)}</bdi></strong>
      <span class="people soft small"
        >to <bdi>${to.join(", ")}</bdi> from <bdi>${from || "nobody"}</bdi></span
      >
      <span class="time soft small">${timeOf(receivedAt)} · ${sizeOf(sizeBytes)}</span>
    </a>
  </li> `;
}

function nothing(isFirst: boolean): Html {
  return isFirst
    ? html`<div class="card empty">
        <p><strong>No mail yet</strong></p>
        <p class="soft">Send a campaign, and every message of it appears here.</p>
      </div>`
    : html`<div class="card empty">
        <p><strong>No older mail</strong></p>
      </div>`;
}
