/**
 * A million due runs, and how long requests wait meanwhile. By hand: `bun scripts/bench/automations.ts [RUNS]
 * [tag|mail]`.
 */
import { makeDueRuns, type DueAction } from "./data/due-runs.ts";
import { firstSteps } from "./figures/first-step.ts";
import { startPostrider } from "./processes/processes.ts";
import { lineOf, type Row } from "./figures/table.ts";
import { startTinySink } from "./processes/tiny-sink.ts";
import { forMs, probe, waitAt, type ProbedRequest, type Waits } from "./figures/waits.ts";

const PORT = 18_493;
const SINK_PORT = 18_494;
const WARM_UP_MS = 1_000;
const IDLE_MS = 5_000;
const LOOK_EVERY_MS = 50;
const WORST_WAIT_MS = 50;
const EVENTS = 300;
/** A trigger wakes the engine, so the first step must not wait for the next look, a second later. */
const FIRST_STEP_MS = 20;

type Drained = {
  readonly idle: Waits;
  readonly busy: Waits;
  /** From the answer to an event until its first step, on the idle server. */
  readonly steps: readonly number[];
  readonly runsPerSecond: number;
  readonly mailsPerSecond: number;
};

/**
 * How long requests and transactional mail wait while `runs` runs, all due in one second, are worked off; compared
 * with the idle server.
 */
export async function automationsBench(runs = 1_000_000, action: DueAction = "tag"): Promise<Row[]> {
  const { idle, busy, steps, runsPerSecond, mailsPerSecond } = await drain(runs, action);
  const worst = (kind: ProbedRequest) =>
    waitRow(`${kind} while ${runs} runs drain, longest, ms`, kind, 1, idle, busy);
  const stepRow = (named: string, share: number): Row => ({
    what: `event answered to first step, ${named}, ms`,
    ours: waitAt(steps, share),
    reference: "",
    theirs: NaN,
    goal: { atMost: FIRST_STEP_MS },
  });
  const rate = { reference: "", theirs: NaN, goal: null };
  return [
    stepRow("p50", 0.5),
    stepRow("p99", 0.99),
    worst("GET /contacts"),
    worst("POST /events"),
    worst("POST /send"),
    waitRow("the same, p99, ms", "POST /send", 0.99, idle, busy),
    { what: "runs of 4 steps drained, per second", ours: runsPerSecond, ...rate },
    ...(action === "mail"
      ? [{ what: "their mails accepted, per second", ours: mailsPerSecond, ...rate }]
      : []),
  ];
}

async function drain(runs: number, action: DueAction): Promise<Drained> {
  const sink = startTinySink(SINK_PORT);
  const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}`, PORT);
  try {
    await probe(server, forMs(WARM_UP_MS));
    const idle = await probe(server, forMs(IDLE_MS));
    const steps = await firstSteps(server, EVENTS);
    const due = await makeDueRuns(server, runs, action);
    const startedMs = performance.now();
    let [drainedMs, sentMs] = [0, 0];
    const watch = setInterval(() => {
      const ms = performance.now() - startedMs;
      if (drainedMs === 0 && !due.areLeft()) drainedMs = ms;
      if (drainedMs > 0 && (action === "tag" || due.mailsSent() >= runs)) sentMs = ms;
    }, LOOK_EVERY_MS);
    const busy = await probe(server, () => sentMs > 0);
    clearInterval(watch);
    due.close();
    return {
      idle,
      busy,
      steps,
      runsPerSecond: (runs * 1000) / drainedMs,
      mailsPerSecond: (runs * 1000) / sentMs,
    };
  } finally {
    await server.stop();
    sink.stop();
  }
}

function waitRow(what: string, kind: ProbedRequest, share: number, idle: Waits, busy: Waits): Row {
  const theirs = waitAt(idle[kind], share);
  return {
    what,
    ours: waitAt(busy[kind], share),
    reference: "idle",
    theirs,
    goal: { atMost: WORST_WAIT_MS },
  };
}

if (import.meta.main) {
  const [runs = "100000", action] = process.argv.slice(2);
  console.table((await automationsBench(Number(runs), action === "mail" ? "mail" : "tag")).map(lineOf));
}
