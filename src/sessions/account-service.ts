import type { SignedIn } from "#core/request/access.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError, invalid, unwrap } from "#core/errors/errors.ts";
import type { Random } from "#core/random.ts";
import type { PasswordHashing } from "#users/hashing.ts";
import { parseNewPassword } from "#users/password.ts";
import type { Proving } from "./proof.ts";
import type { SessionStore } from "./store.ts";
import { newTotpSecret, totpAddress, totpStep } from "./totp.ts";

export type AccountService = ReturnType<typeof accountService>;

/** What somebody changes about their own account: the password, and the codes of an authenticator app. */
export function accountService(parts: {
  readonly sessions: SessionStore;
  readonly proving: Proving;
  readonly hashing: PasswordHashing;
  readonly clock: Clock;
  readonly random: Random;
}) {
  const { sessions, proving, hashing, clock, random } = parts;

  return {
    /**
     * Ends the other sessions.
     * @throws AppError VALIDATION_ERROR, RATE_LIMITED
     */
    async changePassword(
      person: SignedIn,
      { current, password }: { readonly current: string; readonly password: string },
      clientAddress: string,
    ): Promise<void> {
      const wanted = unwrap(parseNewPassword(password, person.email));
      const account = await proving.ofSession(person, "current", current, clientAddress);
      const hash = await hashing.hash(wanted);
      if (!(await sessions.changePassword(account, hash, person.sessionId, clock.now())))
        throw changedMeanwhile();
    },

    /** A secret for the person's app. Codes are required only after one was confirmed. */
    async proposeTotp(
      person: SignedIn,
      password: string,
      clientAddress: string,
    ): Promise<{ secret: string; uri: string }> {
      await proving.ofSession(person, "password", password, clientAddress);
      const secret = await newTotpSecret(random.bytes(20));
      await sessions.proposeTotp(person.userId, secret);
      return { secret, uri: await totpAddress(secret, person.email) };
    },

    /** @throws AppError WRONG_STATE, VALIDATION_ERROR */
    async confirmTotp(person: SignedIn, code: string): Promise<void> {
      const secret = await sessions.proposedTotp(person.userId);
      if (secret === null)
        throw new AppError(
          "WRONG_STATE",
          "There is no secret to confirm: ask for one with `POST /session/totp`.",
        );
      const now = clock.now();
      const step = await totpStep(secret, code, now, null);
      if (step === null)
        return unwrap(invalid("`code` is not the one that the app shows now. Check the clock of the phone."));
      if (!(await sessions.confirmTotp(person, secret, step, now))) throw changedMeanwhile();
    },

    /** @throws AppError VALIDATION_ERROR, RATE_LIMITED */
    async removeTotp(person: SignedIn, password: string, clientAddress: string): Promise<void> {
      await proving.ofSession(person, "password", password, clientAddress);
      await sessions.removeTotp(person.userId, clock.now());
    },
  };
}

const changedMeanwhile = (): AppError =>
  new AppError(
    "CONFLICT",
    "The account was changed by another request meanwhile. Look at it, then try again.",
  );
