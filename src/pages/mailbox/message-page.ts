import type { Address, Email } from "postal-mime";
import { html, type Html } from "#pages/html.ts";
import type { CapturedMessage } from "./captured.ts";
import { mailboxPage, sizeOf, subjectOf, timeOf } from "./look.ts";
import { rawHeaders, splitLinks } from "./message-text.ts";

export const VIEWS = ["html", "text", "headers"] as const;
type View = (typeof VIEWS)[number];

export type MessageView = {
  /** The path of the mailbox, without a slash at the end. */
  readonly at: string;
  readonly message: CapturedMessage;
  readonly view: View;
  /** Whether remote images are loaded, including the tracking pixel. */
  readonly withImages: boolean;
};

export function messagePage(shown: MessageView): Response {
  const { at, message } = shown;
  return mailboxPage(
    subjectOf(message.subject),
    html` <header>
        <h1><bdi>${subjectOf(message.subject)}</bdi></h1>
        <p><a href="${at}">All mail</a></p>
      </header>
      <div class="card">${facts(message)} ${tabs(shown)} ${CONTENT[shown.view](shown)}</div>`,
  );
}

function facts({ from, to, receivedAt, sizeBytes, parsed }: CapturedMessage): Html {
  return html`<dl>
    <dt>From</dt>
    <dd><bdi>${peopleOf(parsed.from ? [parsed.from] : [])}</bdi></dd>
    <dt>To</dt>
    <dd><bdi>${peopleOf(parsed.to ?? [])}</bdi></dd>
    <dt>Envelope</dt>
    <dd>from <bdi>${from || "nobody"}</bdi> to <bdi>${to.join(", ")}</bdi></dd>
    <dt>Captured</dt>
    <dd>${timeOf(receivedAt)}, ${sizeOf(sizeBytes)}</dd>
    ${attachments(parsed)}
  </dl>`;
}

function peopleOf(addresses: readonly Address[]): string {
  const flat = addresses.flatMap((each) => each.group ?? [each]);
  return (
    flat.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(", ") || "(not given)"
  );
}

function attachments({ attachments: files }: Email): Html | false {
  const names = files.map(({ filename, mimeType }) => filename ?? mimeType);
  return (
    names.length > 0 &&
    html`<dt>Attached</dt>
      <dd><bdi>${names.join(", ")}</bdi></dd>`
  );
}

const NAMES: Readonly<Record<View, string>> = { html: "HTML", text: "Text", headers: "Headers" };

function tabs({ at, message, view: current }: MessageView): Html {
  const here = `${at}/${message.number}`;
  const links = VIEWS.map(
    (view) =>
      html`<a href="${here}?view=${view}" ${view === current && html` aria-current="page"`}
        >${NAMES[view]}</a
      > `,
  );
  return html`<nav class="views" aria-label="Views of this message">
    ${links}<a href="${here}/raw">Download</a>
  </nav>`;
}

const CONTENT: Readonly<Record<View, (shown: MessageView) => Html>> = {
  html: htmlView,
  text: ({ message }) => html`<pre>${linked(message.parsed.text ?? "This message has no text part.")}</pre>`,
  headers: ({ message }) => html`<pre>${rawHeaders(message.raw)}</pre>`,
};

/**
 * The frame has none of this page's rights, because the mail is somebody else's HTML. Its links open in a new
 * tab, without a sandbox.
 */
function htmlView({ at, message, withImages }: MessageView): Html {
  const here = `${at}/${message.number}`;
  if (message.parsed.html === undefined) return html`<p class="note">This message has no HTML part.</p>`;
  const note = withImages
    ? html`Remote images are shown, and the sender's pixel counted this as an opening.
        <a href="${here}">Block them</a>`
    : html`Remote images are blocked, the pixel that counts openings too.
        <a href="${here}?images=1">Show them</a>`;
  return html`<p class="note">${note}</p>
    <iframe
      title="The message"
      src="${here}/html${withImages && "?images=1"}"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    ></iframe>`;
}

function linked(text: string): Html[] {
  return splitLinks(text).map(({ text: part, isLink }) =>
    isLink ? html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>` : html`${part}`,
  );
}
