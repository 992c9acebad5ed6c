import type { Asker } from "#core/request/asker.ts";
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { ContactService } from "#contacts/service.ts";
import type { Clock } from "#core/time/clock.ts";
import { shownAddress } from "#core/addresses/shown-address.ts";
import type { LedgerStore, Recipient } from "#deliveries/store.ts";
import { readToken, TEST_MESSAGE } from "#deliveries/token.ts";
import { lookOf, type Look } from "#workspaces/look.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import {
  planChoice,
  readerState,
  type Choice,
  type ChoosableList,
  type FoundReader,
  type ReaderState,
} from "./choice.ts";
import type { PreferencesStore } from "./store.ts";

type Parts = {
  readonly preferences: PreferencesStore;
  readonly ledger: Pick<LedgerStore, "recipient" | "markUnsubscribed">;
  readonly contacts: Pick<ContactService, "optOut">;
  readonly workspaces: Pick<WorkspaceService, "settings">;
  /** Used to sign the tokens of links. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
};

/** What the holder of a preferences link sees. */
export type Preferences = {
  readonly look: Look;
  /** In the form that `shownAddress` gives. */
  readonly shownAddress: string;
  readonly state: ReaderState;
  readonly lists: readonly ChoosableList[];
};

/** `broken`: we did not make the token. `test`: the link stands in a test mail, which belongs to nobody. */
type Unknown = "broken" | "test";

export type PreferencesService = ReturnType<typeof preferencesService>;

/**
 * The preferences page. A link belongs to the address that was mailed: it shows and changes the contact that
 * has that address now. Links never expire.
 */
export function preferencesService(parts: Parts) {
  const { preferences, ledger, contacts, workspaces, secret, clock } = parts;

  const recipientOf = async (token: string): Promise<(Recipient & { message: number }) | Unknown> => {
    const message = readToken(secret, "unsubscribe", token);
    if (message === TEST_MESSAGE) return "test";
    const recipient = message === null ? null : await ledger.recipient(message);
    return recipient === null || message === null ? "broken" : { ...recipient, message };
  };

  const shown = async ({ workspaceId, address }: Recipient, found: FoundReader): Promise<Preferences> => ({
    look: lookOf(await workspaces.settings(workspaceId)),
    shownAddress: shownAddress(address),
    state: readerState(found),
    lists: found.lists,
  });

  return {
    /** What there is to choose; changes nothing. */
    async of(token: string): Promise<Preferences | Unknown> {
      const recipient = await recipientOf(token);
      if (typeof recipient === "string") return recipient;
      return shown(recipient, await preferences.find(recipient.workspaceId, recipient.address));
    },

    /**
     * Carries out a choice. Doing so a second time changes and logs nothing more. Leaving everything is the
     * opt-out of the unsubscribe link, also where the contact was deleted. Durable when it resolves.
     */
    async choose(token: string, choice: Choice, asker: Asker): Promise<Preferences | Unknown> {
      const recipient = await recipientOf(token);
      if (typeof recipient === "string") return recipient;
      const { workspaceId, address, contactId, message } = recipient;
      const origin: ConsentOrigin = { source: "preferences", formId: null, ...asker };
      if (choice.leavesEverything) {
        await contacts.optOut({ workspaceId, address, contactId, origin });
        await ledger.markUnsubscribed(message, clock.now());
        return shown(recipient, await preferences.find(workspaceId, address));
      }
      const at = clock.now();
      const plan = (found: FoundReader) => planChoice(found, choice, origin, at);
      return shown(recipient, await preferences.choose(workspaceId, address, plan, at));
    },
  };
}
