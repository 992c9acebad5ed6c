import { createHash } from "node:crypto";

/**
 * Headers of every public answer, page or image. The answer is for one person: no cache may keep it and no
 * search engine may list it.
 */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
};

/** For the answers that are requested most: copying these headers is faster than making new ones. */
export const privateHeaders = new Headers(PRIVATE_HEADERS);

type Allowed = {
  /** The one image that it loads, as `imageSource` gives it. */
  readonly image?: string | undefined;
  /** Who may show it in a frame. */
  readonly frames?: string;
  /** Further directives. */
  readonly more?: readonly string[];
};

/**
 * The directives of a page with one inline style and no script. It loads nothing and cannot be framed, unless given. Its
 * empty icon is `data:`.
 */
export function contentPolicy(style: string, { image, frames = "'none'", more = [] }: Allowed): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src data:${image === undefined ? "" : ` ${image}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
    ...more,
  ].join("; ");
}

/**
 * An image's address as a source of the policy: this one and no other (CSP 3, 2.3.1: a query does not belong
 * to it, and `;` and `,` would end it).
 */
export function imageSource(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")}`;
}
