import type { Clock, Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { WebhookAnswer } from "#webhooks/calls/attempt.ts";
import type { WebhookCaller } from "#webhooks/calls/caller.ts";
import { judgeStatus, retryAt } from "#webhooks/calls/retry.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { OwedCall } from "#automations/run/step/node-performance.ts";
import type { RunStore } from "./store.ts";
import type { CallEnding } from "./turn.ts";

/** A limit per workspace, so that an automation with a dead target leaves room for the workspace's webhooks. */
const CALLS_OF_WORKSPACE_MAX = 10;

/** The webhook calls of steps in progress. A call delays only the run that waits for it. */
export function webhookCalls(parts: {
  runs: Pick<RunStore, "settleCall">;
  workspaces: Pick<WorkspaceStore, "settings">;
  caller: WebhookCaller;
  clock: Clock;
  random: Random;
  log: Log;
}) {
  const { runs, workspaces, caller, clock, random, log } = parts;
  const underWay = new Map<Promise<void>, string>();

  const make = async (owed: OwedCall): Promise<void> => {
    const { webhookSecret, allowPrivateWebhooks } = await workspaces.settings(owed.workspaceId);
    const { url, messageId, payload } = owed.call;
    const answer = await caller.call(owed.workspaceId, {
      url,
      id: messageId,
      body: JSON.stringify(payload),
      secrets: [webhookSecret],
      allowPrivate: allowPrivateWebhooks,
    });
    await runs.settleCall(
      owed,
      endingOf(owed, answer, { now: clock.now(), jitter: random.fraction() }),
      clock.now(),
    );
  };

  return {
    /** How many more calls a workspace may start now. */
    free(workspaceId: string): number {
      const own = [...underWay.values()].filter((id) => id === workspaceId).length;
      return Math.max(0, Math.min(caller.free(workspaceId), CALLS_OF_WORKSPACE_MAX - own));
    },

    /**
     * Makes a call in the background. If its end cannot be written, the call is made again after its lease.
     */
    start(owed: OwedCall, whenEnded: () => void): void {
      const run = make(owed)
        .catch((error: unknown) =>
          log.error("a webhook's step could not be ended", { node: owed.call.nodeId, error }),
        )
        .finally(() => {
          underWay.delete(run);
          whenEnded();
        });
      underWay.set(run, owed.workspaceId);
    },

    /** Resolves when no call is in progress. */
    settled: (): Promise<unknown> => Promise.allSettled(underWay.keys()),
  };
}

/** What an answer means for the run. */
function endingOf(
  { call, attempts, firstAttemptAt }: OwedCall,
  answer: WebhookAnswer,
  when: { readonly now: Instant; readonly jitter: number },
): CallEnding {
  const judged = answer.kind === "status" ? judgeStatus(answer.status) : answer.kind;
  if (judged === "delivered") return { kind: "done" };
  const problem = answer.kind === "status" ? `The webhook answered ${answer.status}.` : answer.problem;
  const fail = (how: string): CallEnding => ({
    kind: "fail",
    errorMessage: `The step ${quoted(call.nodeId)} ${how}${problem}`,
  });
  if (judged === "forbidden" || judged === "gone") return fail("failed: ");
  const askedPauseMs = answer.kind === "status" ? answer.askedPauseMs : 0;
  const at = retryAt({ ...when, attempts: attempts + 1, firstAttemptAt, askedPauseMs });
  return at === null
    ? fail("was tried for three days in vain. The last reason: ")
    : { kind: "later", at, problem };
}
