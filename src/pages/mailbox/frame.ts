import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import { pageStart } from "#pages/page-start.ts";

/**
 * A mail's HTML as a separate document. It cannot run or send anything, and it loads only images, if they are
 * allowed. One element is added at its start, so that its links open in a new tab.
 */
export function frameResponse(mailHtml: string, withImages: boolean): Response {
  const start = pageStart(mailHtml);
  const document = `${mailHtml.slice(0, start)}<base target="_blank">${mailHtml.slice(start)}`;
  return new Response(document, {
    headers: {
      ...PRIVATE_HEADERS,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(withImages),
      "X-DNS-Prefetch-Control": "off",
    },
  });
}

function policy(withImages: boolean): string {
  return [
    // Repeated here for people who open this address outside its frame.
    "sandbox allow-downloads allow-popups allow-popups-to-escape-sandbox",
    "default-src 'none'",
    `img-src data:${withImages ? " http: https:" : ""}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}
