import { privateHeaders } from "./page-headers.ts";

/** One transparent pixel: a GIF of 42 bytes. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

const HEADERS = new Headers(privateHeaders);
HEADERS.set("Content-Type", "image/gif");

/** The image that a mail program loads. It must not be cached, so that each first look requests it. */
export function pixelResponse(): Response {
  return new Response(GIF, { headers: HEADERS });
}
