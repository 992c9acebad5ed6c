import { rootOf } from "#core/addresses/base-url.ts";
import { storedText } from "#core/text/stored-text.ts";
import { readFormBody, type FormFields } from "#http/body/form-body.ts";
import { askerOf } from "#core/request/asker.ts";
import { publicRoute, type PublicCall, type PublicRoute } from "#http/routes/public-route.ts";
import type { WebVersionOf } from "#deliveries/letters/web-version.ts";
import { letterPage } from "#pages/letter-page.ts";
import { pixelResponse } from "#pages/pixel.ts";
import { redirectTo } from "#pages/redirect.ts";
import {
  brokenLinkPage,
  testMailPage,
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
import type { Subscription, TrackingService } from "./service.ts";

type ReaderPages = {
  readonly webVersionOf: WebVersionOf;
  /** Whether the holder of this token can choose among lists instead: who has left cannot. */
  hasChoice(token: string): Promise<boolean>;
};

/**
 * The links of every marketing mail (docs/decisions.md "Public pages"): the pixel, the links, the unsubscribe
 * link, and the web version. Scanners follow links, so GET and HEAD change nothing but the counts of who opened or
 * clicked.
 * @param baseUrl where the public pages are, without a trailing slash
 */
export function trackingRoutes(
  tracking: TrackingService,
  pages: ReaderPages,
  baseUrl: string,
): PublicRoute[] {
  return [
    ...countedLinks(tracking),
    ...readerPages(tracking, pages, baseUrl),
    // A link that a mail program cut short.
    ...["/o", "/c", "/c/:token", "/u", "/w"].map((path): PublicRoute => ({
      method: "GET",
      path,
      handle: async ({ request }) => brokenLinkPage(request),
    })),
  ];
}

function countedLinks(tracking: TrackingService): PublicRoute[] {
  return [
    publicRoute({
      method: "GET",
      path: "/o/:token",
      documented: openOperation,
      handle: async (call) =>
        tracking.open(call.params.token, isByMachine(call)) ? pixelResponse() : brokenLinkPage(call.request),
    }),
    publicRoute({
      method: "GET",
      path: "/c/:token/:number",
      documented: clickOperation,
      async handle(call) {
        const target = await tracking.click(call.params.token, call.params.number, isByMachine(call));
        return target === null ? brokenLinkPage(call.request) : redirectTo(target);
      },
    }),
  ];
}

function readerPages(
  tracking: TrackingService,
  { webVersionOf, hasChoice }: ReaderPages,
  baseUrl: string,
): PublicRoute[] {
  const root = rootOf(baseUrl);
  const viewOf = async (subscription: Subscription, token: string) => ({
    ...subscription,
    preferencesPath: (await hasChoice(token)) ? `${root}/p/${token}` : null,
  });
  const noReader = ({ request, params }: PublicCall<"/u/:token" | "/w/:token">): Response =>
    tracking.isTest(params.token) ? testMailPage(request) : brokenLinkPage(request);
  return [
    publicRoute({
      method: "GET",
      path: "/u/:token",
      documented: unsubscribePageOperation,
      async handle(call) {
        const subscription = await tracking.subscription(call.params.token);
        return subscription === null
          ? noReader(call)
          : unsubscribePage(await viewOf(subscription, call.params.token));
      },
    }),
    publicRoute({
      // Sent by the page's button or by a mail program (RFC 8058). Headers and encoding are ignored, and of
      // the body only an optional reason is read, so that no body can prevent an unsubscribe.
      method: "POST",
      path: "/u/:token",
      documented: unsubscribeOperation,
      async handle(call) {
        const subscription = await tracking.unsubscribe(
          call.params.token,
          askerOf(call),
          await reasonOf(call),
        );
        return subscription === null ? noReader(call) : unsubscribedPage(subscription);
      },
    }),
    publicRoute({
      method: "GET",
      path: "/w/:token",
      documented: webVersionOperation,
      async handle(call) {
        const message = tracking.readerMessage(call.params.token);
        const html = message === null ? null : await webVersionOf(message);
        return html === null ? noReader(call) : letterPage(html);
      },
    }),
  ];
}

const isByMachine = ({ request }: PublicCall): boolean =>
  isMachine(request.method, (name) => request.headers.get(name));

async function reasonOf(call: PublicCall): Promise<string | null> {
  const { reason } = await readFormBody(call).catch((): FormFields => ({}));
  if (typeof reason !== "string") return null;
  return Array.from(storedText(reason)).slice(0, UNSUBSCRIBE_REASON_MAX).join("") || null;
}
