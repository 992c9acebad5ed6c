import { putLast } from "#core/remembered.ts";
import { sleep, type Clock } from "#core/time/clock.ts";
import { lasting, type Work } from "#work/pool.ts";
import { inTries } from "#work/tries.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { mjmlMails } from "#automations/mail/mjml-mails.ts";
import type { DueAutomation, RunStore } from "./store.ts";
import type { ReadyFlow } from "#automations/run/step/decision.ts";

const KEPT_MAX = 200;
/** Characters of compiled HTML. */
const KEPT_CHARACTERS_MAX = 32_000_000;
/** How often the other automations get a turn while a flow is being prepared. */
const LOOK_AGAIN_MS = 100;

type Parts = {
  readonly runs: Pick<RunStore, "flow">;
  readonly work: Pick<Work, "run">;
  readonly clock: Clock;
};

/** Prepared flows, by version; the latest are kept. Reading and compiling a flow costs more than a step. */
export function readyFlows({ runs, work, clock }: Parts) {
  const kept = new Map<string, ReadyFlow>();
  /** Compiling MJML can take seconds, and the other automations do not wait for it. */
  const making = new Map<string, Promise<unknown>>();
  /** What the last try threw, until somebody asks for the flow. */
  const failures = new Map<string, unknown>();
  /** At its last try, what is refused for now counts as refused: the runs must go on. */
  const tries = inTries<string>({ clock, keysMax: KEPT_MAX, pauseMs: 0 });

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
    try {
      keep(key, await tries(key, (isLast) => readyFlow(workspaceId, flow, work, isLast)));
    } catch (error) {
      putLast(failures, key, error, KEPT_MAX);
    }
    making.delete(key);
  };

  return {
    /**
     * Null while the flow is being prepared. Whoever asks again after a try that failed begins another.
     * @throws what the try threw that has just failed
     */
    async get({ number, flowVersion, workspaceId }: DueFlow): Promise<ReadyFlow | null> {
      const key = `${number} ${flowVersion}`;
      const known = kept.get(key);
      if (known !== undefined) return keep(key, known);
      if (making.has(key)) return null;
      if (failures.has(key)) throw taken(failures, key);
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

function taken<Key, Value>(from: Map<Key, Value>, key: Key): Value | undefined {
  const value = from.get(key);
  from.delete(key);
  return value;
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
