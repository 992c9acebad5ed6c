import { rootOf } from "#core/addresses/base-url.ts";
import { shownAddress } from "#core/addresses/shown-address.ts";
import { publicRoute, type PublicRoute } from "#http/routes/public-route.ts";
import {
  confirmedPage,
  confirmPage,
  expiredPage,
  notSubscribedPage,
  type ConfirmView,
} from "#pages/confirm-page.ts";
import { brokenLinkPage } from "#pages/unsubscribe-page.ts";
import { askerOf } from "#core/request/asker.ts";
import { LINK_VALID_DAYS } from "./confirmation.ts";
import { confirmOperation, confirmPageOperation } from "./public-schema.ts";
import type { ConfirmationView, SignupService } from "./signup-service.ts";

/**
 * The link of a confirmation mail. Opening it changes nothing; its button confirms (docs/decisions.md "Public
 * pages").
 * @param baseUrl where the public pages are, without a trailing slash
 */
export function confirmationRoutes(signups: SignupService, baseUrl: string): PublicRoute[] {
  const root = rootOf(baseUrl);
  const show = (request: Request, view: ConfirmationView | null): Response => {
    if (view === null) return brokenLinkPage(request);
    const { look, address, formId } = view;
    return STATE_PAGES[view.state]({
      look,
      shownAddress: shownAddress(address),
      linkValidDays: LINK_VALID_DAYS,
      formPath: formId === null ? null : `${root}/forms/${formId}`,
    });
  };
  return [
    publicRoute({
      method: "GET",
      path: "/confirm/:token",
      documented: confirmPageOperation,
      handle: async (call) => show(call.request, await signups.confirmation(call.params.token)),
    }),
    publicRoute({
      method: "POST",
      path: "/confirm/:token",
      documented: confirmOperation,
      handle: async (call) => show(call.request, await signups.confirm(call.params.token, askerOf(call))),
    }),
    // A link that a mail program cut short.
    { method: "GET", path: "/confirm", handle: async ({ request }) => brokenLinkPage(request) },
  ];
}

const STATE_PAGES: Readonly<Record<ConfirmationView["state"], (view: ConfirmView) => Response>> = {
  open: confirmPage,
  confirmed: confirmedPage,
  expired: expiredPage,
  raisesNobody: notSubscribedPage,
};
