import { isoOf } from "#core/time/iso.ts";
import { html, type Html } from "#pages/html.ts";
import { BASE_STYLE, pageResponse } from "#pages/layout.ts";
import { wordsOf, type MailboxLanguage, type MailboxWords } from "./words.ts";

/** The console's colours, sizes and corners, because people come here from the console. */
const STYLE = `${BASE_STYLE}
:root { --ink: #1f282e; --soft: #4f5d66; --ground: #f7f9fa; --card: #ffffff; --line: #d3dbe0; --act: #0b6a73; --link: #0a565d; --mark: #0b6a73 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe6ea; --soft: #b6c2c9; --ground: #12191d; --card: #182025; --line: #3a464d; --act: #6fc4c9; --link: #6fc4c9 }
}
body { background: var(--card); font-size: .875rem }
.top { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; padding: .75rem clamp(1rem, 3vw, 2rem); border-bottom: 1px solid var(--line); background: var(--ground) }
.brand { display: flex; gap: .625rem; align-items: center; font-size: 1rem; font-weight: 650 }
.mark { position: relative; width: 24px; height: 24px; border-radius: 6px; background: var(--mark) }
.mark::before, .mark::after { position: absolute; border: 1.6px solid #fff; content: "" }
.mark::before { inset: 7px 4px 6px }
.mark::after { left: 6.4px; top: 3px; width: 9.6px; height: 9.6px; border-width: 0 1.6px 1.6px 0; transform: scaleY(.72) rotate(45deg) }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 3vw, 2rem) 2rem }
h1 { font-size: 1.25rem; line-height: 1.3 }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; margin-bottom: .75rem }
header p, header h1 { margin: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow: hidden }
.soft { color: var(--soft) }
.small { font-size: .8125rem }
.mails { margin: 0; padding: 0; list-style: none }
.mails li + li { border-top: 1px solid var(--line) }
.mails a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1.5rem; padding: .625rem 1rem; color: inherit; text-decoration: none }
.mails a:hover { background: var(--ground) }
.mails a:focus-visible { outline-offset: -3px }
.mails strong { font-weight: 600 }
.mails strong, .mails .people { min-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.mails .time { grid-column: 2; grid-row: 1 / 3; align-self: center; text-align: right; white-space: nowrap }
.empty { padding: 2.5rem 1rem; text-align: center }
.empty p:last-child { margin: 0 }
.pages { display: flex; justify-content: space-between; margin: 1rem 0 0 }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 1rem; margin: 0; padding: .875rem 1rem }
dt { color: var(--soft) }
dd { margin: 0 }
.views { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: 0 1rem; border-block: 1px solid var(--line) }
.views a { padding: .5rem 0; margin-bottom: -1px; border-bottom: 2px solid transparent; text-decoration: none }
.views a[aria-current] { border-color: var(--act); color: var(--ink); font-weight: 600 }
.views a:last-child { margin-left: auto }
.note { margin: 0; padding: .5rem 1rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .8125rem }
iframe { display: block; width: 100%; height: max(24rem, calc(100vh - 21rem)); border: 0; background: #ffffff; color-scheme: light }
pre { margin: 0; padding: 1rem; font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap }
@media (max-width: 40rem) {
  .mails a { display: block }
  .mails strong, .mails .people { display: block }
  .mails .time { display: block; text-align: left }
  dl { display: block }
  dd { margin-bottom: .5rem }
}
`;

export type Shown = {
  /** The path of the mailbox, without a slash at the end. */
  readonly at: string;
  readonly language: MailboxLanguage;
};

/** A page of the mailbox. It may frame the service's own answers. */
export function mailboxPage({ at, language }: Shown, title: string, body: Html): Response {
  const words = wordsOf(language);
  const page = html`<nav class="top" aria-label="Postrider">
      <span class="brand">
        <span class="mark"></span>
        Postrider
      </span>
      <a href="${consoleBeside(at)}">${words.toConsole}</a>
    </nav>
    <main>${body}</main>`;
  return pageResponse({ title, language, body: page }, STYLE, ["frame-src 'self'"]);
}

/** The mailbox and the console are under the same path. */
const consoleBeside = (at: string): string => at.replace(/mailbox$/, "console");

/** The subject to show; an empty one gets a placeholder. */
export const subjectOf = (subject: string, { noSubject }: MailboxWords): string =>
  subject.trim() || noSubject;

/** In the format of the reader's country. A page without scripts does not know their time zone. */
export function timeOf(instant: number, { locale }: MailboxWords): Html {
  const shown = new Date(instant).toLocaleString(locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  return html`<time datetime="${isoOf(instant)}">${shown} UTC</time>`;
}

export function sizeOf(bytes: number, { locale, bytes: unit }: MailboxWords): string {
  if (bytes < 1024) return `${bytes} ${unit}`;
  const digits = bytes < 10_240 ? 1 : 0;
  const kilobytes = (bytes / 1024).toLocaleString(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${kilobytes} KB`;
}
