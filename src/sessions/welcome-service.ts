import type { Clock } from "#core/time/clock.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { AppError, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { PasswordHashing } from "#users/hashing.ts";
import { parseNewPassword } from "#users/password.ts";
import { secretHash } from "#users/welcome-link.ts";
import type { Proving } from "./proof.ts";
import type { Here, SessionService } from "./service.ts";
import { replacedSession } from "./session.ts";
import type { Account, Link, SessionStore, Welcome } from "./store.ts";

export type WelcomeRequest = {
  readonly token: string;
  readonly email: string | null;
  readonly password: string;
  readonly code: string | null;
  readonly clientAddress: string;
  /** The Cookie header: the session it names ends. */
  readonly cookies: string | null;
};

/** The second one looks at what has changed meanwhile. */
const TRIES_MAX = 2;

export type WelcomeService = ReturnType<typeof welcomeService>;

/** What a one-time link can be used for (docs/decisions.md "People and sessions"). */
export function welcomeService(parts: {
  readonly sessions: SessionStore;
  readonly service: Pick<SessionService, "mint" | "whoIs">;
  readonly proving: Proving;
  readonly hashing: PasswordHashing;
  readonly clock: Clock;
  readonly newId: NewId;
}) {
  const { sessions, service, proving, hashing, clock, newId } = parts;

  const newcomer = async (email: string, password: string, account: Account | null): Promise<Welcome> => {
    const wanted = unwrap(parseNewPassword(password, email));
    const passwordHash = await hashing.hash(wanted);
    return { email, newUserId: newId("usr"), known: account, passwordHash, totpStep: null };
  };

  /** For somebody who has an account: the person who invited them must not choose its password. */
  const known = async (account: Account, request: WelcomeRequest): Promise<Welcome> => {
    const { email } = account;
    if (account.passwordHash === null) throw wasReset();
    const { password, code, clientAddress } = request;
    const proven = await proving.prove({ email, password, code, clientAddress });
    return {
      email,
      newUserId: account.id,
      known: proven.account,
      passwordHash: null,
      totpStep: proven.step,
    };
  };

  const welcomeTo = async (link: Link, request: WelcomeRequest): Promise<Welcome> => {
    if (link.kind === "first") {
      if (request.email === null) throw new AppError("VALIDATION_ERROR", "`email` is required.");
      const email = unwrap(parseEmailAddress(request.email));
      const account = await sessions.account(email);
      return account === null || account.passwordHash === null
        ? await newcomer(email, request.password, account)
        : await known(account, request);
    }
    const { account } = link;
    if (request.email !== null && unwrap(parseEmailAddress(request.email)) !== account.email)
      throw new AppError("VALIDATION_ERROR", "`email` is not the address that this link was made for.");
    if (!link.setsPassword) return await known(account, request);
    return await newcomer(account.email, request.password, account);
  };

  return {
    /**
     * Lets somebody in by their link, which is used up then, and signs them in.
     * @throws AppError NOT_FOUND for a link that is unknown, used or too old; VALIDATION_ERROR; for somebody
     * who has an account, what signing in throws
     */
    async welcome(request: WelcomeRequest): Promise<{ here: Here; token: string }> {
      const hash = secretHash(request.token);
      const replaced = replacedSession(request.cookies);
      // A link may still be good if something else changed the account meanwhile, such as a link opened by the same code.
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const link = await sessions.link(hash, clock.now());
        if (link === null) break;
        const welcome = await welcomeTo(link, request);
        const { session, token } = service.mint(false);
        if (await sessions.welcome(hash, welcome, session, replaced))
          return { here: await service.whoIs(welcome.email, token), token };
      }
      throw noLink();
    },
  };
}

const wasReset = (): AppError =>
  new AppError(
    "VALIDATION_ERROR",
    "Your password was reset. Follow the link of the reset: it answers this invitation too. If it is lost or too old, `postrider user reset` prints a new one.",
  );

const noLink = (): AppError =>
  new AppError(
    "NOT_FOUND",
    "This link is unknown, was used, or is too old. Ask for a new one: an owner invites you again, or `postrider user reset` prints one.",
  );
