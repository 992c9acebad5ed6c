import { sleep, type Clock } from "#core/time/clock.ts";
import { putLast } from "#core/remembered.ts";
import type { Log } from "#log.ts";
import { lasting, RefusedForNow, type Work } from "#work/pool.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { mjmlMails } from "#automations/mail/mjml-mails.ts";
import type { DueAutomation, RunStore } from "./store.ts";
import type { ReadyFlow } from "#automations/run/step/decision.ts";

const KEPT_MAX = 200;
/** Characters of compiled HTML. */
const KEPT_CHARACTERS_MAX = 32_000_000;
/** How often the other automations get a turn while a flow is being prepared. */
const LOOK_AGAIN_MS = 100;
const TRY_AGAIN_MS = 1_000;
/** How often a mail that is refused for now is compiled, and the pause: one that always is must let the runs go on. */
const REFUSED_MAX = 3;
const REFUSED_PAUSE_MS = 15_000;

type Parts = {
  readonly runs: Pick<RunStore, "flow">;
  readonly work: Pick<Work, "run">;
  readonly clock: Clock;
  readonly log: Log;
};

/** Prepared flows, by version; the latest are kept. Reading and compiling a flow costs more than a step. */
export function readyFlows({ runs, work, clock, log }: Parts) {
  const kept = new Map<string, ReadyFlow>();
  /** Compiling MJML can take seconds, and the other automations do not wait for it. */
  const making = new Map<string, Promise<unknown>>();
  /** How often a flow's mails were refused for now. */
  const refused = new Map<string, number>();

  const keep = (key: string, ready: ReadyFlow): ReadyFlow => {
    kept.delete(key);
    kept.set(key, ready);
    let characters = [...kept.values()].reduce((sum, each) => sum + charactersOf(each), 0);
    for (const [oldest, flow] of kept) {
      if (oldest === key || (kept.size <= KEPT_MAX && characters <= KEPT_CHARACTERS_MAX)) break;
      kept.delete(oldest);
      characters -= charactersOf(flow);
    }
    return ready;
  };

  const make = async (key: string, workspaceId: string, flow: Flow): Promise<void> => {
    const times = refused.get(key) ?? 0;
    try {
      keep(key, await readyFlow(workspaceId, flow, work, times + 1 >= REFUSED_MAX));
      refused.delete(key);
    } catch (error) {
      log.warn("an automation's mail could not be compiled yet", { workspace: workspaceId, error });
      const isRefused = error instanceof RefusedForNow;
      if (isRefused) putLast(refused, key, times + 1, KEPT_MAX);
      await sleep(clock, isRefused ? REFUSED_PAUSE_MS : TRY_AGAIN_MS);
    }
    making.delete(key);
  };

  return {
    /** Null while the flow is being prepared. */
    async get({ number, flowVersion, workspaceId }: DueFlow): Promise<ReadyFlow | null> {
      const key = `${number} ${flowVersion}`;
      const known = kept.get(key);
      if (known !== undefined) return keep(key, known);
      if (making.has(key)) return null;
      const flow = await runs.flow(number);
      if (mjmlMails(flow).length === 0) return keep(key, await readyFlow(workspaceId, flow, work));
      making.set(key, make(key, workspaceId, flow));
      return null;
    },

    /** False when no flow is being prepared. Otherwise it resolves when one is ready, or soon. */
    async oneMade(): Promise<boolean> {
      if (making.size === 0) return false;
      await Promise.race([...making.values(), sleep(clock, LOOK_AGAIN_MS)]);
      return true;
    },
  };
}

type DueFlow = Pick<DueAutomation, "number" | "flowVersion" | "workspaceId">;

const charactersOf = ({ compiled }: ReadyFlow): number =>
  [...compiled.values()].reduce((sum, mail) => sum + ("html" in mail ? mail.html.length : 0), 0);

/** A flow with its MJML mails compiled. `isLast`: a refusal for now counts as any other. @throws WorkLate */
export async function readyFlow(
  workspaceId: string,
  flow: Flow,
  work: Pick<Work, "run">,
  isLast = false,
): Promise<ReadyFlow> {
  const compiled = new Map<string, { html: string } | { problem: string }>();
  for (const { id, source } of mjmlMails(flow)) {
    const made = await work.run(workspaceId, "liquidMjml", source);
    const html = isLast ? made : lasting(made);
    compiled.set(
      id,
      html.ok ? { html: html.value } : { problem: `The MJML cannot be used: ${html.refusal.message}` },
    );
  }
  return { flow, compiled, mails: new Map() };
}
