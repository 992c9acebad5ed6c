/**
 * Rounds without special cases: dots of messages that nothing holds back, and messages that were sent. The database
 * runs one by itself (`plain_round` in migrations/postgres/), in one round trip; any other round takes a dozen. It
 * writes all of a round or nothing, and nothing if the rules might give any result other than `dot` and `sent`.
 */
import { storableText } from "#core/text/stored-text.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import type { Claim } from "#deliveries/moves/claim.ts";
import { SETTLED, type Claiming, type Settling, type Step } from "#storage/common/ledger/ledger-step.ts";
import { waitingShortly } from "#storage/postgres/engine/server-checks.ts";
import type { Transactions } from "#storage/postgres/engine/transaction.ts";
import type { Session, Value } from "#storage/postgres/engine/session.ts";
import type { OwnNode } from "./node.ts";

/** Behind a pooler its connection may have any limit for locks, and the dots of all wait for this one. */
const CALL = `CALL plain_round($1, $2, ${waitingShortly("$3::text")}, $4, $5, $6, $7, $8, $9, $10, NULL, NULL)`;
const VOID = "UPDATE nodes SET epoch = $2 WHERE id = $1";

type Answer = { readonly how: "written" | "left"; readonly emptying: readonly string[] | null };

type Sent = Settling & { readonly outcome: Extract<Outcome, { state: "sent" }> };

/** `lessOwed`: the mailings that may owe nothing any more (`finishEmptied`). */
export type Performed = { readonly answers: readonly Claim[]; readonly lessOwed: readonly number[] };

type PlainRounds = {
  /**
   * Performs the steps if they are plain. Null: another round has to do it. If the answer was lost (perhaps
   * PostgreSQL was restarted), the claims are among the `unsent`, and the other round finds out what became of
   * them.
   * @throws StorageError as `Transactions.callOften`, but not with `unreachable`
   */
  perform(steps: readonly Step[]): Promise<Performed | null>;
  /** Writes with `write`, once no plain round with a lost answer can still be carried out. It may wait for one. */
  written<T>(write: Transactions["write"], work: (tx: Session) => Promise<T>): Promise<T>;
};

/** @param unsent claims whose dot may be in the database but was never sent */
export function plainRounds(
  { callOften }: Pick<Transactions, "callOften">,
  own: OwnNode,
  unsent: Map<number, Claiming>,
): PlainRounds {
  /** Rounds of earlier epochs are void. */
  let epoch = 0;
  /** True: the answer of a round was lost. The server may not even have begun it. */
  let isOneLost = false;

  return {
    async perform(steps) {
      const isKnown = !isOneLost && !steps.some(({ message }) => unsent.has(message));
      const values = isKnown ? valuesOf(steps, own, epoch) : null;
      if (values === null) return null;
      try {
        const answer = await callOften<Answer>(CALL, values);
        if (answer?.how !== "written") return null;
        const answers = steps.map((step): Claim => ("run" in step ? "dot" : SETTLED));
        return { answers, lessOwed: (answer.emptying ?? []).map(Number) };
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        isOneLost = true;
        for (const step of steps) if ("run" in step) unsent.set(step.message, step);
        return null;
      }
    },

    async written(write, work) {
      const { done, next } = await write(async (tx) => {
        if (!isOneLost) return { done: await work(tx), next: epoch };
        const begun = epoch + 1;
        await tx.run(VOID, [own.number, begun]);
        return { done: await work(tx), next: begun };
      });
      // Two at once begin the same epoch.
      if (next > epoch) [epoch, isOneLost] = [next, false];
      return done;
    },
  };
}

/** Null: the steps are not plain. What only the database knows, it checks itself. */
function valuesOf(steps: readonly Step[], own: OwnNode, epoch: number): Value[] | null {
  const claims = steps.filter((step): step is Claiming => "run" in step);
  const sends = steps.filter((step): step is Sent => "outcome" in step && step.outcome.state === "sent");
  const messages = new Set(steps.map(({ message }) => message));
  const isPlain =
    own.number !== null &&
    claims.length + sends.length === messages.size &&
    messages.size === steps.length &&
    claims.every(({ run, isCounted }) => run === own.number && !isCounted) &&
    sends.every(({ strike }) => strike === null);
  if (!isPlain) return null;
  const replies = sends.map(({ outcome }) => outcome.reply);
  return [
    own.number,
    epoch,
    own.timeline,
    claims.map(({ message }) => message),
    claims.map(({ now }) => now),
    sends.map(({ message }) => message),
    sends.map(({ now }) => now),
    replies.map(({ code }) => code),
    replies.map(({ enhanced }) => enhanced),
    replies.map(({ text }) => storableText(text)),
  ];
}
