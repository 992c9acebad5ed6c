import type { Address } from "postal-mime";
import { html, type Html } from "#pages/html.ts";
import type { CapturedMessage, CapturedParts } from "./captured.ts";
import { mailboxPage, sizeOf, subjectOf, timeOf, type Shown } from "./look.ts";
import { rawHeaders, splitLinks } from "./message-text.ts";
import { wordsOf, type MailboxWords } from "./words.ts";

export const VIEWS = ["html", "text", "headers"] as const;
type View = (typeof VIEWS)[number];

export type MessageView = Shown & {
  readonly message: CapturedMessage;
  readonly parts: CapturedParts;
  readonly view: View;
  /** Whether remote images are loaded, including the tracking pixel. */
  readonly withImages: boolean;
};

export function messagePage(shown: MessageView): Response {
  const { at, message } = shown;
  const words = wordsOf(shown.language);
  const subject = subjectOf(message.subject, words);
  return mailboxPage(
    shown,
    subject,
    html` <header>
        <h1><bdi>${subject}</bdi></h1>
        <p><a href="${at}">${words.allMail}</a></p>
      </header>
      <div class="card">
        ${facts(shown, words)} ${tabs(shown, words)} ${CONTENT[shown.view](shown, words)}
      </div>`,
  );
}

function facts({ message, parts }: MessageView, words: MailboxWords): Html {
  const { from, to, receivedAt, sizeBytes } = message;
  return html`<dl>
    <dt>${words.fromField}</dt>
    <dd><bdi>${peopleOf(parts.from, words)}</bdi></dd>
    <dt>${words.toField}</dt>
    <dd><bdi>${peopleOf(parts.to, words)}</bdi></dd>
    <dt>${words.envelope}</dt>
    <dd>${words.from} <bdi>${from || words.nobody}</bdi> ${words.to} <bdi>${to.join(", ")}</bdi></dd>
    <dt>${words.captured}</dt>
    <dd>${timeOf(receivedAt, words)}, ${sizeOf(sizeBytes, words)}</dd>
    ${attachments(parts, words)}
  </dl>`;
}

function peopleOf(addresses: readonly Address[], { notGiven }: MailboxWords): string {
  const flat = addresses.flatMap((each) => each.group ?? [each]);
  return flat.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(", ") || notGiven;
}

function attachments({ attachments: names }: CapturedParts, { attached }: MailboxWords): Html | false {
  return (
    names.length > 0 &&
    html`<dt>${attached}</dt>
      <dd><bdi>${names.join(", ")}</bdi></dd>`
  );
}

function tabs({ at, message, view: current }: MessageView, words: MailboxWords): Html {
  const here = `${at}/${message.number}`;
  const links = VIEWS.map(
    (view) =>
      html`<a href="${here}?view=${view}" ${view === current && html` aria-current="page"`}
        >${words.view[view]}</a
      > `,
  );
  return html`<nav class="views" aria-label="${words.views}">
    ${links}<a href="${here}/raw">${words.download}</a>
  </nav>`;
}

const CONTENT: Readonly<Record<View, (shown: MessageView, words: MailboxWords) => Html>> = {
  html: htmlView,
  text: ({ parts }, { noText }) => html`<pre>${linked(parts.text ?? noText)}</pre>`,
  headers: ({ message }) => html`<pre>${rawHeaders(message.raw)}</pre>`,
};

/**
 * The frame has none of this page's rights, because the mail is somebody else's HTML. Its links open in a new
 * tab, without a sandbox, and may lead to a file.
 */
function htmlView({ at, message, parts, withImages }: MessageView, words: MailboxWords): Html {
  const here = `${at}/${message.number}`;
  if (parts.html === null) return html`<p class="note">${words.noHtml}</p>`;
  const note = withImages
    ? html`${words.shown} <a href="${here}">${words.block}</a>`
    : html`${words.blocked} <a href="${here}?images=1">${words.show}</a>`;
  return html`<p class="note">${note}</p>
    <iframe
      title="${words.message}"
      src="${here}/html${withImages && "?images=1"}"
      sandbox="allow-downloads allow-popups allow-popups-to-escape-sandbox"
    ></iframe>`;
}

/** Far into a long text, links are not made: there may be 100,000 of them, and each takes time. */
const LINKED_CHARACTERS = 64 * 1024;

function linked(text: string): Html[] {
  const links = splitLinks(text.slice(0, LINKED_CHARACTERS)).map(({ text: part, isLink }) =>
    isLink ? html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>` : html`${part}`,
  );
  return [...links, html`${text.slice(LINKED_CHARACTERS)}`];
}
