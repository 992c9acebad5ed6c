import { AppError } from "#core/errors/errors.ts";

/**
 * Passwords are hashed by argon2id with the parameters that OWASP recommends (19 MiB, two passes). Bun hashes
 * on its own threads, so other requests do not wait. But each hash takes a core and the memory. So only two
 * run at once, a few wait, and a flood of sign-ins is refused.
 */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE = 2;
const WAITING_MAX = 50;
const RETRY_AFTER_S = 5;

/**
 * A hash of the same cost. It is compared where there is no password, so that the answer takes the same time. Its own
 * password is a guess like any other (`xxxxxxxxxxxx`): nothing may be right there.
 */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$PZhA/9I1UxZramNHDZ87lfQB1pOZFPF1mTjghLRXO+8$gfI73cq/kQAHKq4bnSTHhKouxk1wuFjMsDdVdCIeBXk";

export type PasswordHashing = ReturnType<typeof passwordHashing>;

/** @throws AppError RATE_LIMITED from both methods while too many wait */
export function passwordHashing() {
  const waiting: (() => void)[] = [];
  let running = 0;

  const turn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX) throw tooMany();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      // The turn goes straight to the next one in the queue: a request that comes now cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  return {
    hash: (password: string): Promise<string> => turn(() => Bun.password.hash(password, COST)),

    /**
     * @param hash null: nobody has the address, or the account has no password. Then no password is right.
     * @param before runs when the turn has come: it may still refuse, by throwing
     */
    isPassword: (
      password: string,
      hash: string | null,
      before: () => void = () => undefined,
    ): Promise<boolean> =>
      turn(async () => {
        before();
        const isRight = await Bun.password.verify(password, hash ?? NOBODYS_HASH);
        return isRight && hash !== null;
      }),
  };
}

const tooMany = () =>
  new AppError("RATE_LIMITED", "Too many people sign in at once. Try again in a few seconds.", {
    retryAfterS: RETRY_AFTER_S,
  });
