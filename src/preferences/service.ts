import type { Asker } from "#core/request/asker.ts";
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { ContactService } from "#contacts/service.ts";
import type { Clock } from "#core/time/clock.ts";
import { shownAddress } from "#core/addresses/shown-address.ts";
import { readerService, type Reader } from "#deliveries/reader-service.ts";
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
  const { preferences, workspaces, secret, clock } = parts;
  const readers = readerService(parts);

  const readerOf = async (token: string): Promise<Reader | Unknown> =>
    readToken(secret, "unsubscribe", token) === TEST_MESSAGE
      ? "test"
      : ((await readers.byToken(token)) ?? "broken");

  const shown = async ({ workspaceId, address }: Recipient, found: FoundReader): Promise<Preferences> => ({
    look: lookOf(await workspaces.settings(workspaceId)),
    shownAddress: shownAddress(address),
    state: readerState(found),
    lists: found.lists,
  });

  const of = async (token: string): Promise<Preferences | Unknown> => {
    const reader = await readerOf(token);
    if (typeof reader === "string") return reader;
    return shown(reader, await preferences.find(reader.workspaceId, reader.address));
  };

  return {
    /** What there is to choose; changes nothing. */
    of,

    /** Whether there are lists that the holder of the link can choose among. */
    async hasChoice(token: string): Promise<boolean> {
      const found = await of(token);
      return typeof found !== "string" && found.state.kind === "chooses" && found.lists.length > 0;
    },

    /**
     * Carries out a choice. Doing so a second time changes and logs nothing more. Leaving everything is the
     * opt-out of the unsubscribe link, also where the contact was deleted. Durable when it resolves.
     */
    async choose(token: string, choice: Choice, asker: Asker): Promise<Preferences | Unknown> {
      const reader = await readerOf(token);
      if (typeof reader === "string") return reader;
      const { workspaceId, address } = reader;
      const origin: ConsentOrigin = { source: "preferences", formId: null, ...asker };
      if (choice.leavesEverything) {
        await readers.optOut(reader, origin);
        return shown(reader, await preferences.find(workspaceId, address));
      }
      const at = clock.now();
      const plan = (found: FoundReader) => planChoice(found, choice, origin, at);
      return shown(reader, await preferences.choose(workspaceId, address, plan, at));
    },
  };
}
