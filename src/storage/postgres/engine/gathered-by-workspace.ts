import { isOfOne, StorageError } from "#core/errors/storage-error.ts";
import { gatheredRounds } from "./gathered-rounds.ts";
import { WAIT_SHORTLY } from "./server-checks.ts";
import type { Session } from "./session.ts";
import type { Transactions } from "./transaction.ts";

/**
 * Small writes, each of one workspace: those of the same workspace that come at the same time share a transaction.
 * They run in the order in which they came.
 * @param run performs steps of a workspace and returns one answer for each. If it throws, none of them is kept, and
 * each is tried again alone.
 */
export function gatheredByWorkspace<Step, Answer>(
  write: Transactions["write"],
  run: (tx: Session, workspace: number, steps: readonly Step[]) => Promise<readonly Answer[]>,
  waitShortly = WAIT_SHORTLY,
): (workspace: number, step: Step) => Promise<Answer> {
  const rounds = new Map<number, (step: Step) => Promise<Answer>>();
  const roundsOf = (workspace: number): ((step: Step) => Promise<Answer>) => {
    const made = gatheredRounds<Step, Answer>(
      (steps) =>
        write(async (tx) => {
          await tx.run(waitShortly);
          return await run(tx, workspace, steps);
        }),
      (error) => error instanceof StorageError && !isOfOne(error),
      { most: 1 },
    );
    rounds.set(workspace, made);
    return made;
  };
  return (workspace, step) => (rounds.get(workspace) ?? roundsOf(workspace))(step);
}
