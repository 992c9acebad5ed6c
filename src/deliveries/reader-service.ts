import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { ContactService } from "#contacts/service.ts";
import type { Clock } from "#core/time/clock.ts";
import type { LedgerStore, Recipient } from "./store.ts";
import { readToken } from "./token.ts";

/** A message, and who got it. */
export type Reader = Recipient & { readonly message: number };

type Parts = {
  readonly ledger: Pick<LedgerStore, "recipient" | "markUnsubscribed">;
  readonly contacts: Pick<ContactService, "optOut">;
  /** Used to sign the tokens of links. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
};

/** What all links of a message share: whose message it is, and the opt-out. */
export function readerService({ ledger, contacts, secret, clock }: Parts) {
  return {
    /** The reader whose unsubscribe link has this token; null if this service did not make it. */
    async byToken(token: string): Promise<Reader | null> {
      const message = readToken(secret, "unsubscribe", token);
      return message === null ? null : await this.byMessage(message);
    },

    async byMessage(message: number): Promise<Reader | null> {
      const recipient = await ledger.recipient(message);
      return recipient && { ...recipient, message };
    },

    /**
     * Opts the reader out, even if the contact or the campaign is gone. Durable when it resolves. The person's own
     * record is written first: if a crash loses the mark on the message, the next opt-out sets it. A reason is kept
     * only with the first opt-out, which is the one that is logged.
     */
    async optOut(reader: Reader, origin: ConsentOrigin): Promise<void> {
      const { message, workspaceId, address, contactId } = reader;
      await contacts.optOut({ workspaceId, address, contactId, origin });
      await ledger.markUnsubscribed(message, clock.now());
    },
  };
}
