import type { SignedIn } from "#core/request/access.ts";
import type { Instant } from "#core/time/clock.ts";
import type { NewSession } from "#sessions/store.ts";
import type { Challenge } from "./challenges.ts";
import type { Passkey, PasskeyProof } from "./passkey.ts";

export type NewPasskey = Omit<Passkey, "lastUsedAt"> & PasskeyProof;

/** A passkey, and whose it is. */
export type OwnedPasskey = Passkey &
  PasskeyProof & { readonly user: { readonly id: string; readonly email: string } };

/** Passkeys of people. Every method is one transaction, and writes into the audit log what people do. */
export type PasskeyStore = {
  /** Newest first. */
  list(userId: string): Promise<Passkey[]>;
  /**
   * `known`: somebody has this credential already. `full`: the person has `countMax`. `gone`: so is the person, or
   * the session that asks, such as by a reset: it leaves no passkey.
   */
  add(
    by: Pick<SignedIn, "userId" | "sessionId">,
    passkey: NewPasskey,
    countMax: number,
  ): Promise<"added" | "known" | "full" | "gone">;
  /** False: the person has no such passkey. */
  remove(userId: string, id: string, at: Instant): Promise<boolean>;
  findByCredential(credential: string): Promise<OwnedPasskey | null>;
  /**
   * Opens a session for the owner of the passkey, keeps its new counter, and ends the session that the
   * browser had. False, and nothing is done, if the passkey was removed or used meanwhile.
   */
  open(
    passkey: OwnedPasskey,
    counter: number,
    session: NewSession,
    replaced: Uint8Array | null,
  ): Promise<boolean>;
  /** Marks a challenge as used until it expires. False, also on every other node: it was used before. */
  useChallenge(challenge: Challenge, now: Instant): Promise<boolean>;
};
