import { html, type Html } from "#pages/html.ts";
import { BASE_STYLE, pageResponse } from "#pages/layout.ts";

const STYLE = `${BASE_STYLE}
body { padding: clamp(.75rem, 3vw, 2rem) }
main { max-width: 60rem; margin: 0 auto }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; margin-bottom: 1rem }
header p, header h1 { margin: 0 }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow: hidden }
.soft { color: var(--soft) }
.small { font-size: .875rem }
.mails { margin: 0; padding: 0; list-style: none }
.mails li + li { border-top: 1px solid var(--line) }
.mails a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1.5rem; padding: .75rem 1.25rem; color: inherit; text-decoration: none }
.mails a:hover { background: var(--ground) }
.mails a:focus-visible { outline-offset: -3px }
.mails strong, .mails .people { min-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.mails .time { grid-column: 2; grid-row: 1 / 3; align-self: center; text-align: right; white-space: nowrap }
.empty { padding: 2.5rem 1.25rem; text-align: center }
.empty p:last-child { margin: 0 }
.pages { display: flex; justify-content: space-between; margin: 1rem 0 0 }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .125rem 1rem; margin: 0; padding: 1rem 1.25rem }
dt { color: var(--soft) }
dd { margin: 0 }
.views { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: 0 1.25rem; border-block: 1px solid var(--line) }
.views a { padding: .625rem 0; margin-bottom: -1px; border-bottom: 3px solid transparent; text-decoration: none }
.views a[aria-current] { border-color: var(--act); color: var(--ink); font-weight: 600 }
.views a:last-child { margin-left: auto }
.note { margin: 0; padding: .625rem 1.25rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .875rem }
iframe { display: block; width: 100%; height: max(24rem, calc(100vh - 22rem)); border: 0; background: #ffffff; color-scheme: light }
pre { margin: 0; padding: 1.25rem; font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap }
@media (max-width: 40rem) {
  .mails a { display: block }
  .mails strong, .mails .people { display: block }
  .mails .time { display: block; text-align: left }
  dl { display: block }
  dd { margin-bottom: .5rem }
}
`;

/** A page of the mailbox. It may frame the service's own answers. */
export function mailboxPage(title: string, body: Html): Response {
  return pageResponse({ title, body: html`<main>${body}</main>` }, STYLE, ["frame-src 'self'"]);
}

/** The subject to show; an empty one gets a placeholder. */
export const subjectOf = (subject: string): string => subject.trim() || "(no subject)";

export function timeOf(instant: number): Html {
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

export function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
}
