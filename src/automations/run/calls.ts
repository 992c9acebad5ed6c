import type { Clock } from "#core/clock.ts";
import { quoted } from "#core/text.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { judgeWebhookStatus } from "./retry.ts";
import type { CallEnding, OwedCall, RunStore } from "./store.ts";
import { again } from "./decision.ts";
import { callWebhook, type Resolve, type WebhookAnswer } from "#automations/webhooks/webhook-caller.ts";

const CALLS_MAX = 40;
/** A limit per workspace, so that one workspace's dead target does not delay the calls of others. */
const CALLS_OF_WORKSPACE_MAX = 10;

/** The webhook calls in progress. A call delays only the run that waits for it. */
export function webhookCalls(parts: {
  runs: Pick<RunStore, "settleCall">;
  workspaces: Pick<WorkspaceStore, "settings">;
  clock: Clock;
  random: Random;
  log: Log;
  resolve: Resolve;
}) {
  const { runs, workspaces, clock, log } = parts;
  const underWay = new Map<Promise<void>, string>();

  const endingOf = (owed: OwedCall, answer: WebhookAnswer): CallEnding => {
    const { call, attempts, firstAttemptAt } = owed;
    const verdict = answer.kind === "status" ? judgeWebhookStatus(answer.status) : answer.kind;
    if (verdict === "delivered") return { kind: "done" };
    const problem = answer.kind === "status" ? `The webhook answered ${answer.status}.` : answer.problem;
    if (verdict === "forbidden" || (verdict === "failed" && answer.kind === "status"))
      return { kind: "fail", errorMessage: `The step ${quoted(call.nodeId)} failed: ${problem}` };
    const decision = again(
      call.nodeId,
      problem,
      { attempts, firstAttemptAt },
      { now: clock.now(), jitter: parts.random.fraction() },
    );
    return decision as CallEnding;
  };

  const make = async (owed: OwedCall): Promise<void> => {
    const { webhookSecret, allowPrivateWebhooks } = await workspaces.settings(owed.workspaceId);
    const { url, messageId, payload } = owed.call;
    const request = {
      url,
      id: messageId,
      body: JSON.stringify(payload),
      secret: webhookSecret,
      allowPrivate: allowPrivateWebhooks,
    };
    const answer = await callWebhook(request, clock, parts.resolve);
    await runs.settleCall(owed, endingOf(owed, answer), clock.now());
  };

  return {
    /** How many more calls a workspace may start now. */
    free(workspaceId: string): number {
      const own = [...underWay.values()].filter((id) => id === workspaceId).length;
      return Math.max(0, Math.min(CALLS_MAX - underWay.size, CALLS_OF_WORKSPACE_MAX - own));
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
