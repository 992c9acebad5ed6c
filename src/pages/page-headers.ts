import { createHash } from "node:crypto";

/** What every public answer carries, page or image: it is for one person, and nobody else may keep or list it. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
};

/** For those that are asked for most: to copy these is quicker than to make them. */
export const privateHeaders = new Headers(PRIVATE_HEADERS);

/** The directives of a page with one inline style and no script: it loads nothing and cannot be framed. */
export function contentPolicy(style: string, more: readonly string[] = []): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join("; ");
}
