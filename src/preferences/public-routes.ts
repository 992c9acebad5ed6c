import { readFormValues } from "#http/body/form-body.ts";
import { askerOf } from "#core/request/asker.ts";
import { publicRoute, type PublicCall, type PublicRoute } from "#http/routes/public-route.ts";
import { preferencesPage } from "#pages/preferences-page.ts";
import { brokenLinkPage, testMailPage, unsubscribedPage } from "#pages/unsubscribe-page.ts";
import { FIELDS, LEAVE_EVERYTHING, readChoice, type Choice } from "./choice.ts";
import { choiceOperation, preferencesPageOperation } from "./schema.ts";
import type { Preferences, PreferencesService } from "./service.ts";

/**
 * The page where readers choose (docs/contract.md "What readers can choose"). GET and HEAD change nothing,
 * because scanners follow links.
 */
export function preferencesRoutes(preferences: PreferencesService): PublicRoute[] {
  return [
    publicRoute({
      method: "GET",
      path: "/p/:token",
      documented: preferencesPageOperation,
      handle: async (call) => show(call, await preferences.of(call.params.token)),
    }),
    publicRoute({
      method: "POST",
      path: "/p/:token",
      documented: choiceOperation,
      async handle(call) {
        const { token } = call.params;
        const choice = await choiceOf(call);
        if (choice === null) return show(call, await preferences.of(token));
        const chosen = await preferences.choose(token, choice, askerOf(call));
        return show(call, chosen, choice);
      },
    }),
    // A link that a mail program cut short.
    { method: "GET", path: "/p", handle: async ({ request }) => brokenLinkPage(request) },
  ];
}

function show(
  { request }: PublicCall,
  preferences: Preferences | "broken" | "test",
  choice: Choice | null = null,
): Response {
  if (preferences === "broken") return brokenLinkPage(request);
  if (preferences === "test") return testMailPage(request);
  const { look, shownAddress, state, lists } = preferences;
  if (choice?.leavesEverything) return unsubscribedPage({ look, shownAddress });
  return preferencesPage({
    look,
    shownAddress,
    reader: state,
    lists,
    isSaved: choice !== null,
    fields: FIELDS,
    leaveEverything: LEAVE_EVERYTHING,
  });
}

/** A body that cannot be read, or is no form, changes nothing. */
async function choiceOf(call: PublicCall): Promise<Choice | null> {
  const values = await readFormValues(call).catch(() => null);
  return values && readChoice(values);
}
