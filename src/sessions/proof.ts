import { clientNetwork } from "#core/client-network.ts";
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { NOBODYS_HASH, type PasswordHashing } from "#users/hashing.ts";
import { comparablePassword } from "#users/password.ts";
import { SignInFailures } from "./failures.ts";
import type { Account, SessionStore } from "./store.ts";
import { totpStep } from "./totp.ts";

/** What somebody shows to prove who they are. */
export type Proof = {
  readonly email: string;
  readonly password: string;
  readonly code: string | null;
  readonly clientAddress: string;
};

export type Proving = ReturnType<typeof proving>;

/**
 * Checks passwords and codes. Whether nobody has the address or the password is wrong cannot be told apart: both
 * compare one hash and write one line into the audit log.
 */
export function proving({
  sessions,
  hashing,
  clock,
}: {
  readonly sessions: SessionStore;
  readonly hashing: PasswordHashing;
  readonly clock: Clock;
}) {
  const failures = new SignInFailures();

  /** @throws AppError RATE_LIMITED */
  const isPassword = async ({ email, password, clientAddress }: Proof, hash: string): Promise<boolean> => {
    const attempt = { email, network: clientNetwork(clientAddress) };
    let begunAt = clock.now();
    const begin = (): void => {
      begunAt = clock.now();
      const retryAfterS = failures.begin(attempt, begunAt);
      if (retryAfterS !== null) throw tooOften(retryAfterS);
    };
    const isRight = await hashing.isPassword(comparablePassword(password), hash, begin);
    if (isRight) failures.takeBack(attempt, begunAt);
    return isRight;
  };

  /** The step of the code; null where the account asks for none. */
  const stepOf = ({ code, email, clientAddress }: Proof, account: Account): number | null => {
    const { totpSecret } = account;
    if (totpSecret === null) return null;
    if (code === null)
      throw new AppError("CODE_REQUIRED", "Send `code` too: six digits of your authenticator app.");
    const attempt = { email, network: clientNetwork(clientAddress) };
    const begunAt = clock.now();
    const retryAfterS = failures.begin(attempt, begunAt);
    if (retryAfterS !== null) throw tooOften(retryAfterS);
    const step = totpStep(totpSecret, code, begunAt, account.totpStep);
    if (step === null)
      throw new AppError(
        "CODE_REQUIRED",
        "The code is wrong, too old or was used. Send the one that shows now.",
      );
    failures.takeBack(attempt, begunAt);
    return step;
  };

  return {
    /** Whether this is the account's password. Failures count as those of signing in do. */
    isPassword: (proof: Proof, account: Account): Promise<boolean> =>
      isPassword(proof, account.passwordHash ?? NOBODYS_HASH),

    /**
     * The account that the proof opens, and the step of its code.
     * @throws AppError UNAUTHORIZED, CODE_REQUIRED, RATE_LIMITED
     */
    async prove(proof: Proof): Promise<{ account: Account; step: number | null }> {
      const account = await sessions.account(proof.email);
      const isRight = await isPassword(proof, account?.passwordHash ?? NOBODYS_HASH);
      if (account === null || account.passwordHash === null || !isRight) {
        await sessions.failed(proof.email, clock.now());
        throw new AppError("UNAUTHORIZED", "The address or the password is wrong.");
      }
      try {
        return { account, step: stepOf(proof, account) };
      } catch (error) {
        if (proof.code !== null) await sessions.failed(proof.email, clock.now());
        throw error;
      }
    },
  };
}

const tooOften = (retryAfterS: number): AppError =>
  new AppError(
    "RATE_LIMITED",
    "Too many failed attempts. Wait, or have an owner or `postrider user reset` help.",
    {
      retryAfterS,
    },
  );
