import type { Flow } from "#automations/flow/flow.ts";
import type { FlowProblem } from "#automations/flow/problems.ts";

/** How many messages of one mailing of a step are queued. `isHeld`: a restored copy had queued them. */
export type WaitingMail = {
  readonly mailing: number;
  readonly nodeId: string;
  readonly count: number;
  readonly isHeld: boolean;
};

/** Why nothing of a mailing goes out, unless that passes by itself; null: it goes out, or soon will. */
export type StoppedBy = (mailing: number) => string | null;

/**
 * Mail that does not go out until somebody does something, as problems of its steps. A step has several
 * mailings: one for each month.
 */
export function waitingProblems(
  mails: readonly WaitingMail[],
  stoppedBy: StoppedBy,
  { id, nodes }: { readonly id: string } & Pick<Flow, "nodes">,
): FlowProblem[] {
  const counts = new Map<string, { nodeId: string; reason: string | null; count: number }>();
  for (const { mailing, nodeId, count, isHeld } of mails) {
    const reason = isHeld ? null : stoppedBy(mailing);
    if (reason === null && !isHeld) continue;
    const key = JSON.stringify([nodeId, reason]);
    counts.set(key, { nodeId, reason, count: count + (counts.get(key)?.count ?? 0) });
  }
  const placeOf = (nodeId: string): number => nodes.findIndex((node) => node.id === nodeId);
  const inOrder = [...counts.values()].toSorted((a, b) => placeOf(a.nodeId) - placeOf(b.nodeId));
  return inOrder.map(({ nodeId, reason, count }) => {
    const place = placeOf(nodeId);
    const message = reason === null ? heldMail(count, id) : waitingMail(count, reason);
    return { nodeId, path: place < 0 ? "nodes" : `nodes[${place}].id`, message };
  });
}

const waitingMail = (count: number, reason: string): string =>
  `Messages of this step that wait: ${count}. ${/[.?!]$/.test(reason) ? reason : `${reason}.`} They go out when that is put right.`;

const heldMail = (count: number, id: string): string =>
  `Messages of this step that are held: ${count}. The database was restored or copied, so they may have been sent before. Look, then let them go with \`postrider automation release ${id}\`.`;
