import { escapeHtml } from "#core/text/html-escape.ts";
import type { Manifest } from "./manifest.ts";

/** What the page knows before its script has asked the API. */
export type PageFacts = {
  /** The path under which Postrider is reached, without a slash at the end: empty, or `/mail`. */
  readonly root: string;
  readonly version: string;
  /** Whether mail is captured and can be read in the mailbox. */
  readonly hasMailbox: boolean;
  /** Whether this server makes backups itself: PostgreSQL is backed up with its own tools. */
  readonly hasBackups: boolean;
  /** The only origin whose pages can use passkeys; null: none can. */
  readonly passkeyOrigin: string | null;
};

/**
 * The one page of the console; its script reads the address. The page contains nothing that a person entered,
 * and runs nothing but our own files.
 * @param nonce new for each answer; the libraries put it on the styles that they make
 */
export function consolePage(manifest: Manifest, facts: PageFacts, nonce: string): string {
  const asset = (name: string): string => escapeHtml(`${facts.root}/console/assets/${name}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="csp-nonce" content="${nonce}">
<meta name="postrider" content="${escapeHtml(JSON.stringify(facts))}">
<title>Postrider</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
<link rel="stylesheet" href="${asset(manifest.style)}">
${manifest.preload.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join("\n")}
<script type="module" src="${asset(manifest.script)}"></script>
</head>
<body>
<div id="root"></div>
<noscript><p class="unscripted">The console needs JavaScript. Without it, use the API or the command line.</p></noscript>
</body>
</html>
`;
}

const ICON = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b7285"/><path d="M6 10h20v13H6z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/><path d="m6 11 10 7 10-7" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/></svg>',
);

/**
 * What the page may load and do. No script but our files, no style but ours and those with the nonce; no other
 * site may put it into a frame.
 */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export const UNBUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Postrider</title>
<h1>The console is not built yet</h1>
<p>Postrider runs from source here. Run <code>bun scripts/console.ts</code>, then load this page again.</p>
</html>
`;
