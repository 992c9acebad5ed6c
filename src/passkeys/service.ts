import type { SignedIn } from "#core/request/access.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import type { Proving } from "#sessions/proof.ts";
import type { Here, SessionService } from "#sessions/service.ts";
import { replacedSession } from "#sessions/session.ts";
import type { SessionStore } from "#sessions/store.ts";
import { checkNew, checkUse, type NewAnswer, type UseAnswer } from "./answers.ts";
import { CHALLENGE_MS, challengesOf, type Challenge } from "./challenges.ts";
import type { Passkey } from "./passkey.ts";
import { ALGORITHMS } from "./public-key.ts";
import type { Site } from "./site.ts";
import { signInAgain } from "#sessions/refusals.ts";
import type { OwnedPasskey, PasskeyStore } from "./store.ts";

/** More devices than anybody signs in with. */
const COUNT_MAX = 20;

export type PasskeyService = ReturnType<typeof passkeyService>;

type Parts = {
  readonly passkeys: PasskeyStore;
  readonly sessions: SessionStore;
  readonly service: Pick<SessionService, "mint" | "whoIs">;
  readonly proving: Proving;
  /** Signs challenges. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
};

/** A sign-in with a passkey, and the browser that it comes from. */
type PasskeyUse = {
  /** The credential's, in base64url. */
  readonly id: string;
  /** `userHandle`: the person's id, in base64url. */
  readonly response: UseAnswer & { readonly userHandle: string };
  readonly stay: boolean;
  /** The Cookie header: the session it names ends. */
  readonly cookies: string | null;
  readonly clientAddress: string;
};

/** Passkeys: people who are signed in make and remove them, and others sign in with one. */
export function passkeyService(parts: Parts) {
  const challenges = challengesIn(parts);
  return { ...ownPasskeys(parts, challenges), ...signingIn(parts, challenges) };
}

type Challenges = ReturnType<typeof challengesIn>;

function challengesIn({ passkeys, secret, clock, random }: Parts) {
  const { give, read } = challengesOf(secret);
  return {
    give: (holder: string): string => give(holder, clock.now(), random.bytes(16)),
    reader:
      (holder: string) =>
      (text: string): Challenge | null =>
        read(holder, text, clock.now()),
    /** False: it was used before. */
    use: (challenge: Challenge): Promise<boolean> => passkeys.useChallenge(challenge, clock.now()),
  };
}

function ownPasskeys(parts: Parts, challenges: Challenges) {
  const { passkeys, proving, clock, newId } = parts;
  const holder = ({ sessionId }: SignedIn): string => `new of ${sessionId}`;

  return {
    list: (userId: string): Promise<Passkey[]> => passkeys.list(userId),

    /**
     * What the browser makes a passkey from (WebAuthn, section 5.1.8). It must be found without an address
     * (section 6.2.2), and check who holds it by a fingerprint, a face or a PIN. Whoever has too many is told before
     * the device keeps one more, which would open nothing.
     * @throws AppError VALIDATION_ERROR, RATE_LIMITED, CONFLICT
     */
    async propose(person: SignedIn, site: Site, password: string, clientAddress: string) {
      await proving.ofSession(person, "password", password, clientAddress);
      const own = await passkeys.list(person.userId);
      if (own.length >= COUNT_MAX) throw tooMany();
      return {
        challenge: challenges.give(holder(person)),
        rp: { id: site.host, name: "Postrider" },
        user: {
          id: Buffer.from(person.userId).toString("base64url"),
          name: person.email,
          displayName: person.email,
        },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        timeout: CHALLENGE_MS,
        excludeCredentials: own
          .filter(({ host }) => host === site.host)
          .map(({ credential }) => ({ type: "public-key", id: credential })),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        attestation: "none",
      };
    },

    /** @throws AppError VALIDATION_ERROR, CONFLICT */
    async add(person: SignedIn, site: Site, name: string, response: NewAnswer): Promise<Passkey> {
      const made = checkNew(response, { ...site, challengeOf: challenges.reader(holder(person)) });
      if (made === null || !(await challenges.use(made.challenge)))
        throw new AppError(
          "VALIDATION_ERROR",
          "`credential` is not what was asked for, or came too late. Try again.",
        );
      const { publicKey, counter, credential } = made;
      const passkey = { id: newId("pky"), name, host: site.host, credential, createdAt: clock.now() };
      const outcome = await passkeys.add(person, { ...passkey, publicKey, counter }, COUNT_MAX);
      if (outcome === "gone") throw signInAgain();
      if (outcome === "known") throw new AppError("CONFLICT", "This passkey is in use already.");
      if (outcome === "full") throw tooMany();
      return { ...passkey, lastUsedAt: null };
    },

    /** @throws AppError NOT_FOUND */
    async remove(userId: string, id: string): Promise<void> {
      if (!(await passkeys.remove(userId, id, clock.now())))
        throw new AppError("NOT_FOUND", `You have no passkey ${id}.`);
    },
  };
}

function signingIn(parts: Parts, challenges: Challenges) {
  const { passkeys, sessions, service, proving, clock } = parts;
  const HOLDER = "sign-in";

  /** The new counter; null if the answer is not right. */
  const checked = async (
    response: PasskeyUse["response"],
    site: Site,
    found: OwnedPasskey,
  ): Promise<number | null> => {
    const used = checkUse(response, found, { ...site, challengeOf: challenges.reader(HOLDER) });
    // The device names the person too (WebAuthn, section 7.2, step 6).
    const names = Buffer.from(response.userHandle, "base64url").toString();
    if (used === null || names !== found.user.id) return null;
    return (await challenges.use(used.challenge)) ? used.counter : null;
  };

  return {
    /** What the browser needs to find a passkey (WebAuthn, section 5.5). It reveals nothing about anybody. */
    ask: (site: Site) => ({
      challenge: challenges.give(HOLDER),
      rpId: site.host,
      timeout: CHALLENGE_MS,
      userVerification: "required",
    }),

    /**
     * Signs in the owner of the passkey. No code of an authenticator app is asked for: the passkey is
     * something they have, and their device has checked who they are.
     * @throws AppError UNAUTHORIZED, RATE_LIMITED
     */
    async signIn(
      { id, response, stay, cookies, clientAddress }: PasskeyUse,
      site: Site,
    ): Promise<{ here: Here; token: string }> {
      const found = await passkeys.findByCredential(id);
      const email = found?.user.email ?? null;
      const takeBack = proving.begin("passkey", { email, clientAddress });
      const counter = found && (await checked(response, site, found));
      if (found === null || counter === null) {
        if (email !== null) await sessions.failed(email, clock.now());
        throw notAccepted();
      }
      const { session, token } = service.mint(stay);
      if (!(await passkeys.open(found, counter, session, replacedSession(cookies)))) throw notAccepted();
      takeBack();
      return { here: await service.whoIs(found.user.email, token), token };
    },
  };
}

const tooMany = (): AppError =>
  new AppError("CONFLICT", `You have ${COUNT_MAX} passkeys. Remove one that you do not use.`);

const notAccepted = (): AppError =>
  new AppError(
    "UNAUTHORIZED",
    "The passkey is unknown here, or its answer came too late. Try again, or sign in with the password.",
  );
