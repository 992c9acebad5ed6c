/** Why a mailbox was not read. */
export type Failure = "login" | "connection" | "own";

const MINUTE = 60_000;

/**
 * The first pause after a failure, which doubles with each further failure, and the longest pause. A refused
 * password is rarely tried again, because servers lock accounts.
 */
const PAUSES: Readonly<Record<Failure, { readonly firstMs: number; readonly longestMs: number }>> = {
  login: { firstMs: 5 * MINUTE, longestMs: 60 * MINUTE },
  connection: { firstMs: 10_000, longestMs: 15 * MINUTE },
  own: { firstMs: 5_000, longestMs: MINUTE },
};

/**
 * How long to wait before the mailbox is opened again.
 * @param failures failures in a row, at least 1
 * @param chance from [0, 1): varies the pause by a fifth, so that many mailboxes are not opened at once
 */
export function pauseAfter(failure: Failure, failures: number, chance: number): number {
  const { firstMs, longestMs } = PAUSES[failure];
  const grown = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(grown * (0.8 + 0.4 * chance));
}
