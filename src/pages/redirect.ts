import { privateHeaders } from "./page-headers.ts";

/**
 * Redirects a person to `target`, an absolute address, exactly as it was written. If it has a character that
 * no header may hold, it is encoded as a browser would encode it from the mail itself (WHATWG URL).
 */
export function redirectTo(target: string): Response {
  const location = /^[\x21-\x7e]+$/.test(target) ? target : new URL(target).href;
  const response = new Response(null, { status: 302, headers: privateHeaders });
  response.headers.set("Location", location);
  return response;
}
