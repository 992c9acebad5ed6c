import { storedText } from "#core/stored-text.ts";
import { readFormBody, type FormFields } from "#http/form-body.ts";
import { publicRoute, type PublicCall, type PublicRoute } from "#http/public-route.ts";
import type { WebVersionOf } from "#deliveries/letters/web-version.ts";
import { letterPage } from "#pages/letter-page.ts";
import { pixelResponse } from "#pages/pixel.ts";
import { redirectTo } from "#pages/redirect.ts";
import {
  brokenLinkPage,
  UNSUBSCRIBE_REASON_MAX,
  unsubscribedPage,
  unsubscribePage,
} from "#pages/unsubscribe-page.ts";
import { isMachine } from "./machine.ts";
import {
  clickOperation,
  openOperation,
  unsubscribeOperation,
  unsubscribePageOperation,
  webVersionOperation,
} from "./schema.ts";
import type { TrackingService } from "./service.ts";

/** Enough to distinguish mail programs in the consent log. */
const USER_AGENT_MAX = 500;

/**
 * The links of every marketing mail (docs/decisions.md "Public pages"): the pixel, the links, the unsubscribe
 * link, and the web version. Scanners follow links, so GET and HEAD change nothing but the counts of who opened or
 * clicked.
 */
export function trackingRoutes(tracking: TrackingService, webVersionOf: WebVersionOf): PublicRoute[] {
  return [
    publicRoute({
      method: "GET",
      path: "/o/:token",
      documented: openOperation,
      handle: async (call) =>
        tracking.open(call.params.token, isByMachine(call)) ? pixelResponse() : brokenLinkPage(),
    }),
    publicRoute({
      method: "GET",
      path: "/c/:token/:number",
      documented: clickOperation,
      async handle(call) {
        const target = await tracking.click(call.params.token, call.params.number, isByMachine(call));
        return target === null ? brokenLinkPage() : redirectTo(target);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/u/:token",
      documented: unsubscribePageOperation,
      async handle(call) {
        const subscription = await tracking.subscription(call.params.token);
        return subscription === null ? brokenLinkPage() : unsubscribePage(subscription);
      },
    }),
    publicRoute({
      // Sent by the page's button or by a mail program (RFC 8058). Headers and encoding are ignored, and of
      // the body only an optional reason is read, so that no body can prevent an unsubscribe.
      method: "POST",
      path: "/u/:token",
      documented: unsubscribeOperation,
      async handle(call) {
        const subscription = await tracking.unsubscribe(call.params.token, asker(call), await reasonOf(call));
        return subscription === null ? brokenLinkPage() : unsubscribedPage(subscription);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/w/:token",
      documented: webVersionOperation,
      async handle(call) {
        const message = tracking.readerMessage(call.params.token);
        const html = message === null ? null : await webVersionOf(message);
        return html === null ? brokenLinkPage() : letterPage(html);
      },
    }),
    // A link that a mail program cut short.
    ...["/o", "/c", "/c/:token", "/u", "/w"].map((path): PublicRoute => ({
      method: "GET",
      path,
      handle: async () => brokenLinkPage(),
    })),
  ];
}

const isByMachine = ({ request }: PublicCall): boolean =>
  isMachine(request.method, (name) => request.headers.get(name));

async function reasonOf(call: PublicCall): Promise<string | null> {
  const { reason } = await readFormBody(call).catch((): FormFields => ({}));
  if (typeof reason !== "string") return null;
  return Array.from(storedText(reason)).slice(0, UNSUBSCRIBE_REASON_MAX).join("") || null;
}

function asker({ request, clientAddress }: PublicCall) {
  return { clientAddress, userAgent: request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX) ?? null };
}
