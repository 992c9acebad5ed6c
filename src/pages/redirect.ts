import { privateHeaders } from "./page-headers.ts";

/**
 * Sends a person on to `target`, an absolute address, as it was written. Where it holds a character no header may carry,
 * it goes encoded as a browser would have encoded it from the mail itself (WHATWG URL).
 */
export function redirectTo(target: string): Response {
  const location = /^[\x21-\x7e]+$/.test(target) ? target : new URL(target).href;
  const response = new Response(null, { status: 302, headers: privateHeaders });
  response.headers.set("Location", location);
  return response;
}
