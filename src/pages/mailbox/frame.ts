import { PRIVATE_HEADERS } from "#pages/page-headers.ts";

const DOCTYPE = /^\s*<!doctype[^>]*>/i;

/**
 * A mail's HTML as a separate document. It cannot run or send anything, and it loads only images, if they are
 * allowed. One element is added before it, so that its links open in a new tab. A doctype stays first,
 * because without one browsers use the layout rules of 1998.
 */
export function frameResponse(mailHtml: string, withImages: boolean): Response {
  const doctype = DOCTYPE.exec(mailHtml)?.[0] ?? "";
  const document = `${doctype}<base target="_blank">${mailHtml.slice(doctype.length)}`;
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
