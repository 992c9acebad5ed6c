import { PRIVATE_HEADERS } from "#pages/page-headers.ts";

const DOCTYPE = /^\s*<!doctype[^>]*>/i;

/**
 * A mail's HTML as a document of its own that can run nothing, send nothing and load nothing but, where wanted, images.
 * One element is put before it, so that its links open in a tab of their own; a doctype stays first, because without one
 * browsers lay the mail out by the rules of 1998.
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
    // Said here too, for whoever opens this address outside its frame.
    "sandbox allow-popups allow-popups-to-escape-sandbox",
    "default-src 'none'",
    `img-src data:${withImages ? " http: https:" : ""}`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}
