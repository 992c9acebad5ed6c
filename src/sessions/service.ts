import type { SignedIn } from "#core/request/access.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import { Remembered } from "#core/remembered.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { checkRole, type Role } from "#users/role.ts";
import { linkToken, secretHash } from "#users/welcome-link.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import type { Proof, Proving } from "./proof.ts";
import { isOver, replacedSession, sessionToken, type Session } from "./session.ts";
import { signInAgain, wrongPassword } from "./refusals.ts";
import type { NewSession, SessionStore } from "./store.ts";

/** `lastSeenAt` is written at most this often. */
const SEEN_RECORDED_EVERY_MS = MINUTE_MS;
/** More sessions than are in use at once on any installation. */
const KNOWN_MAX = 1_000;

export type SessionParts = {
  readonly sessions: SessionStore;
  readonly workspaces: Pick<WorkspaceService, "settings">;
  readonly proving: Proving;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
};

/** Somebody who is signed in, and where they may go. */
export type Here = {
  readonly user: { readonly id: string; readonly email: string; readonly totp: boolean };
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
};

export type SignInRequest = Proof & {
  readonly stay: boolean;
  /** The Cookie header: the session it names ends. */
  readonly cookies: string | null;
};

export type SessionService = ReturnType<typeof sessionService>;

export function sessionService(parts: SessionParts) {
  const { sessions, workspaces, proving, clock, random, newId } = parts;
  const signedIn = signedInBy(sessions, clock);

  /** A session's row, and the token that its cookie carries. */
  const mint = (stays: boolean): { session: NewSession; token: string } => {
    const token = linkToken(random.bytes(32));
    return { session: { id: newId("ses"), hash: secretHash(token), stays, now: clock.now() }, token };
  };

  const whoIs = async (email: string, token: string | null): Promise<Here> => {
    const account = await sessions.account(email);
    const session = token === null ? null : await sessions.find(secretHash(token));
    if (account === null || session === null) throw signInAgain();
    const entered = await Promise.all(
      [...session.roles].map(async ([id, role]) => ({
        id,
        name: (await workspaces.settings(id)).name,
        role,
      })),
    );
    return {
      user: { id: account.id, email, totp: account.totpSecret !== null },
      workspaces: entered,
    };
  };

  return {
    mint,
    whoIs,

    /** Whose cookie it is, or null. Synchronous for a session that is known already. */
    signedIn,

    /** @throws AppError UNAUTHORIZED, CODE_REQUIRED, RATE_LIMITED */
    async signIn({ stay, cookies, ...proof }: SignInRequest): Promise<{ here: Here; token: string }> {
      const { account, step } = await proving.prove(proof);
      const { session, token } = mint(stay);
      if (!(await sessions.open(account, session, step, replacedSession(cookies)))) throw wrongPassword();
      return { here: await whoIs(account.email, token), token };
    },

    /** Those that are not over, newest first. */
    async list(userId: string): Promise<Session[]> {
      const now = clock.now();
      return (await sessions.list(userId)).filter((session) => !isOver(session, now));
    },

    /** @throws AppError NOT_FOUND */
    async end(userId: string, id: string): Promise<void> {
      if (!(await sessions.end(userId, id))) throw new AppError("NOT_FOUND", `You have no session ${id}.`);
    },
  };
}

function signedInBy(sessions: SessionStore, clock: Clock) {
  /** By the token of the cookie. */
  const known = new Remembered<{ readonly session: Session; readonly person: SignedIn; seenAt: Instant }>(
    KNOWN_MAX,
  );

  type Known = NonNullable<ReturnType<typeof known.get>>;

  const lookUp = async (token: string, revision: number): Promise<Known | null> => {
    const session = await sessions.find(secretHash(token));
    if (session === null) return null;
    return known.add(token, { session, person: personOf(session), seenAt: session.lastSeenAt }, revision);
  };

  /** Records that the session is used; null if it is over. */
  const use = (one: Known): SignedIn | null => {
    const now = clock.now();
    if (isOver({ ...one.session, lastSeenAt: one.seenAt }, now)) return null;
    // A time in the future was written while the clock was ahead. It is written over too: otherwise an unused session
    // would last longer by as much.
    if (Math.abs(now - one.seenAt) >= SEEN_RECORDED_EVERY_MS) {
      one.seenAt = now;
      // The request does not wait for this write, and does not fail with it.
      sessions.markSeen(one.session.id, now).catch(() => undefined);
    }
    return one.person;
  };

  return (cookies: string | null): SignedIn | null | Promise<SignedIn | null> => {
    const token = sessionToken(cookies);
    if (token === null) return null;
    const revision = sessions.revision();
    const remembered = known.get(token, revision);
    if (remembered) return use(remembered);
    return lookUp(token, revision).then((found) => found && use(found));
  };
}

const personOf = ({ id, userId, email, roles }: Session): SignedIn => ({
  sessionId: id,
  userId,
  email,
  accessTo(workspaceId) {
    const role = roles.get(workspaceId);
    if (role === undefined) return null;
    return { workspaceId, who: email, refusal: (method, path) => checkRole(role, method, path) };
  },
});
