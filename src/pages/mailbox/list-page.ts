import { html, type Html } from "#pages/html.ts";
import type { CapturedSummary } from "./captured.ts";
import { mailboxPage, sizeOf, subjectOf, timeOf, type Shown } from "./look.ts";
import { wordsOf, type MailboxWords } from "./words.ts";

type MailboxView = Shown & {
  readonly mails: readonly CapturedSummary[];
  /** Whether this page shows the newest mail. */
  readonly isFirst: boolean;
  /** Whether it shows the mail of every workspace. */
  readonly isWhole: boolean;
  /** Where the next page starts, with older mail; null on the last page. */
  readonly olderThan: number | null;
};

export function listPage(view: MailboxView): Response {
  const { at, language, mails, isFirst, isWhole, olderThan } = view;
  const words = wordsOf(language);
  return mailboxPage(
    view,
    words.mailbox,
    html` <header>
        <h1>${words.mailbox}</h1>
        <p><a href="${at}">${isFirst ? words.reload : words.newest}</a></p>
      </header>
      <p class="soft">${words.says} ${!isWhole && words.ofWorkspace}</p>
      ${
        mails.length > 0
          ? html`<ol class="card mails">
              ${mails.map((mail) => row(at, mail, words))}
            </ol>`
          : nothing(isFirst, words)
      }
      ${olderThan !== null && html`<p class="pages"><a href="${at}?before=${olderThan}">${words.older}</a></p>`}`,
  );
}

function row(at: string, mail: CapturedSummary, words: MailboxWords): Html {
  const { number, from, to, subject, receivedAt, sizeBytes } = mail;
  return html`<li>
    <a href="${at}/${number}">
      <strong><bdi>${subjectOf(subject, words)}</bdi></strong>
      <span class="people soft small"
        >${words.to} <bdi>${to.join(", ")}</bdi> ${words.from} <bdi>${from || words.nobody}</bdi></span
      >
      <span class="time soft small">${timeOf(receivedAt, words)} · ${sizeOf(sizeBytes, words)}</span>
    </a>
  </li> `;
}

function nothing(isFirst: boolean, words: MailboxWords): Html {
  return isFirst
    ? html`<div class="card empty">
        <p><strong>${words.none}</strong></p>
        <p class="soft">${words.noneSays}</p>
      </div>`
    : html`<div class="card empty">
        <p><strong>${words.noneOlder}</strong></p>
      </div>`;
}
