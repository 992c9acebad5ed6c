import type { SignedIn } from "#core/request/access.ts";
import { clientNetwork } from "#core/addresses/client-network.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError, invalid, unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { PasswordHashing } from "#users/hashing.ts";
import { comparablePassword } from "#users/password.ts";
import { SignInFailures, type SignInWay } from "./failures.ts";
import { wrongPassword } from "./refusals.ts";
import type { Account, SessionStore } from "./store.ts";
import { totpStep } from "./totp.ts";

/** What somebody shows to prove who they are. */
export type Proof = {
  readonly email: string;
  readonly password: string;
  readonly code: string | null;
  readonly clientAddress: string;
};

/** Who tries, and from where. Null: with a passkey that nobody has. */
type Tried = { readonly email: string | null; readonly clientAddress: string };

export type Proving = ReturnType<typeof proving>;

/**
 * Counts an attempt as failed until the returned function is called.
 * @throws AppError RATE_LIMITED
 */
type Begin = (way: SignInWay, tried: Tried) => () => void;

function countingAttempts(clock: Clock): Begin {
  const failures = new SignInFailures();
  return (way, { email, clientAddress }) => {
    const attempt = { way, email, network: clientNetwork(clientAddress) };
    const begunAt = clock.now();
    const retryAfterS = failures.begin(attempt, begunAt);
    if (retryAfterS !== null) throw tooOften(retryAfterS);
    return () => failures.takeBack(attempt, begunAt);
  };
}

/** The step of the code; null where the account asks for none. @throws AppError CODE_REQUIRED, RATE_LIMITED */
async function stepOf(
  { code, ...tried }: Proof,
  account: Account,
  { begin, clock }: { readonly begin: Begin; readonly clock: Clock },
): Promise<number | null> {
  const { totpSecret } = account;
  if (totpSecret === null) return null;
  if (code === null)
    throw new AppError("CODE_REQUIRED", "Send `code` too: six digits of your authenticator app.");
  const takeBack = begin("password", tried);
  const step = await totpStep(totpSecret, code, clock.now(), account.totpStep);
  if (step === null)
    throw new AppError(
      "CODE_REQUIRED",
      "The code is wrong, too old or was used. Send the one that shows now.",
    );
  takeBack();
  return step;
}

/**
 * Checks passwords and codes. An unknown address and a wrong password cannot be told apart: in both cases one
 * hash is compared and one line is written into the audit log.
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
  const begin = countingAttempts(clock);

  /** @throws AppError RATE_LIMITED */
  const isPassword = async ({ password, ...tried }: Proof, hash: string | null): Promise<boolean> => {
    let takeBack = (): void => {};
    const isRight = await hashing.isPassword(comparablePassword(password), hash, () => {
      takeBack = begin("password", tried);
    });
    if (isRight) takeBack();
    return isRight;
  };

  return {
    begin,

    /**
     * The account of somebody who is signed in, if this is its password. So a stolen session alone cannot
     * change how the account is opened. Failures count like failed sign-ins.
     * @param field how the request calls the password
     * @throws AppError VALIDATION_ERROR that names the field; RATE_LIMITED
     */
    async ofSession(
      { email }: SignedIn,
      field: string,
      password: string,
      clientAddress: string,
    ): Promise<Account> {
      const account = present(await sessions.account(email), "account of a session");
      const proof = { email, password, code: null, clientAddress };
      if (await isPassword(proof, account.passwordHash)) return account;
      await sessions.failed(email, clock.now());
      return unwrap(invalid(`\`${field}\` is not your current password.`));
    },

    /**
     * The account that the proof opens, and the step of its code.
     * @throws AppError UNAUTHORIZED, CODE_REQUIRED, RATE_LIMITED
     */
    async prove(proof: Proof): Promise<{ account: Account; step: number | null }> {
      const account = await sessions.account(proof.email);
      const isRight = await isPassword(proof, account?.passwordHash ?? null);
      if (account === null || !isRight) {
        await sessions.failed(proof.email, clock.now());
        throw wrongPassword();
      }
      try {
        return { account, step: await stepOf(proof, account, { begin, clock }) };
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
