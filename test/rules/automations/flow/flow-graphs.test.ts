/** Every small flow, judged by `problemsOf` and by arithmetic on reachability alone, and run by `step`. */
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import type { Flow, FlowEdge, FlowNode } from "#automations/flow/flow.ts";
import { problemsOf, type Surroundings } from "#automations/flow/problems.ts";
import { step } from "#automations/run/step/step.ts";
import { newRun, type RunState, type StepOutcome } from "#automations/run/step/step-outcome.ts";
import { dice } from "../../../support/common/dice.ts";
import { ABOUT_ADA, NEW_SUBSCRIBER, NOW, ONE_DAY, node } from "../../../support/automations/flows.ts";

const KNOWN: Surroundings = {
  lists: new Set(),
  allowPrivateWebhooks: false,
  trackOpens: true,
  trackClicks: true,
  now: NOW,
};
const DATA: Readonly<Record<string, JsonObject>> = {
  trigger: NEW_SUBSCRIBER,
  wait: ONE_DAY,
  action: { action: "unsubscribe" },
  condition: { all: [{ field: "score", op: "greaterThan", value: 0 }] },
  end: {},
};
const GHOST = "ghost";

const flowOf = (types: readonly string[], edges: FlowEdge[]): Flow => ({
  nodes: types.map((type, index) => node(`${index}`, type, DATA[type])),
  edges,
});

/** One bit per pair of nodes. */
function flowOfBits(types: readonly string[], bits: number): Flow {
  const edges: FlowEdge[] = [];
  for (let source = 0; source < types.length; source++)
    for (let target = 0; target < types.length; target++)
      if ((bits >> (source * types.length + target)) & 1)
        edges.push({ source: `${source}`, target: `${target}` });
  return flowOf(types, edges);
}

/**
 * Warshall's closure: `paths[a][b]` says whether one or more edges lead from a to b through nodes that may be
 * passed.
 */
function closure(
  size: number,
  has: (source: number, target: number) => boolean,
  isLeftOut: (node: number) => boolean,
): boolean[][] {
  const paths = Array.from({ length: size }, (_, a) =>
    Array.from({ length: size }, (__, b) => !isLeftOut(a) && !isLeftOut(b) && has(a, b)),
  );
  for (let via = 0; via < size; via++)
    for (let a = 0; a < size; a++)
      if (paths[a]![via]) for (let b = 0; b < size; b++) paths[a]![b] ||= paths[via]![b]!;
  return paths;
}

type Verdict = { unreached: string[]; inLoop: string[]; dangling: number; undecided: string[] };

function oracle({ nodes, edges }: Flow): Verdict {
  const typeAt = (index: number): string => nodes[index]!.type;
  const followed = edges.filter(({ source, sourceHandle }) => {
    const type = nodes.find(({ id }) => id === source)?.type;
    return type !== "end" && (type !== "condition" || sourceHandle === "true" || sourceHandle === "false");
  });
  const has = (a: number, b: number): boolean =>
    followed.some(({ source, target }) => source === nodes[a]!.id && target === nodes[b]!.id);
  const starts = nodes.flatMap(({ type }, index) => (type === "trigger" ? [index] : []));
  const paths = closure(nodes.length, has, () => false);
  const isReached = (index: number): boolean =>
    starts.some((start) => start === index || paths[start]![index]);
  const timeless = closure(nodes.length, has, (index) => typeAt(index) === "wait");
  const ids = (keep: (index: number) => boolean): string[] =>
    nodes.filter((_, index) => keep(index)).map(({ id }) => id);
  const known = new Set(nodes.map(({ id }) => id));
  return {
    unreached: ids((index) => !isReached(index)),
    inLoop: ids((index) => isReached(index) && timeless[index]![index]!),
    dangling: edges.filter(({ source, target }) => !known.has(source) || !known.has(target)).length,
    undecided: nodes.filter((entry) => isUndecided(entry, edges)).map(({ id }) => id),
  };
}

function isUndecided({ id, type }: FlowNode, edges: readonly FlowEdge[]): boolean {
  const targets = (handle?: string) =>
    new Set(
      edges
        .filter((edge) => edge.source === id && (handle === undefined || edge.sourceHandle === handle))
        .map(({ target }) => target),
    ).size;
  if (type === "end") return false;
  return type === "condition" ? targets("true") > 1 || targets("false") > 1 : targets() > 1;
}

function verdict(flow: Flow): Verdict {
  const problems = problemsOf(flow, KNOWN);
  const ids = (part: string): string[] =>
    problems.flatMap(({ nodeId, message }) => (message.includes(part) ? [nodeId ?? ""] : []));
  return {
    unreached: ids("No way leads"),
    inLoop: ids("part of a loop"),
    dangling: ids("There is no step").length,
    undecided: problems.flatMap(({ nodeId, message }) =>
      message.includes("more than one edge") || message.includes("More than one edge") ? [nodeId ?? ""] : [],
    ),
  };
}

function randomFlow(next: (below: number) => number): Flow {
  const types = [
    "trigger",
    ...Array.from(
      { length: next(5) },
      () => ["wait", "action", "action", "condition", "condition", "end"][next(6)]!,
    ),
  ];
  const at = (): string => (next(25) === 0 ? GHOST : `${next(types.length)}`);
  const handle = (): JsonObject =>
    ([{ sourceHandle: "true" }, { sourceHandle: "false" }, {}] as const)[next(3)]!;
  return flowOf(
    types,
    Array.from({ length: next(9) }, () => ({ source: at(), target: at(), ...handle() })),
  );
}

function shuffled<T>(items: readonly T[], next: (below: number) => number): T[] {
  const left = [...items];
  return items.map(() => left.splice(next(left.length), 1)[0]!);
}

/** Compares without building a report for each of many cases. */
const differs = (flow: Flow): boolean => JSON.stringify(verdict(flow)) !== JSON.stringify(oracle(flow));

describe("loops, dangling edges and steps nobody comes to", () => {
  const TYPES = ["wait", "action", "end"];

  test("in every flow of up to three steps the oracle finds the same", () => {
    let flows = 0;
    for (const types of [
      ["trigger"],
      ...TYPES.map((a) => ["trigger", a]),
      ...TYPES.flatMap((a) => TYPES.map((b) => ["trigger", a, b])),
    ]) {
      for (let bits = 0; bits < 2 ** (types.length ** 2); bits++, flows++)
        if (differs(flowOfBits(types, bits)))
          expect(verdict(flowOfBits(types, bits))).toEqual(oracle(flowOfBits(types, bits)));
    }
    expect(flows).toBe(2 + 3 * 16 + 9 * 512);
  });

  test("in every digraph of four steps the oracle finds the same", () => {
    let loops = 0;
    for (let bits = 0; bits < 65_536; bits++) {
      const flow = flowOfBits(
        ["trigger", ...[0, 1, 2].map((i) => TYPES[((bits * 2_654_435_761) >>> (8 + 3 * i)) % 3]!)],
        bits,
      );
      if (differs(flow)) expect(verdict(flow)).toEqual(oracle(flow));
      if (oracle(flow).inLoop.length > 0) loops++;
    }
    expect(loops).toBeGreaterThan(10_000);
    expect(loops).toBeLessThan(60_000);
  });

  test("in 20,000 flows of up to five steps, with conditions and edges to nowhere, the oracle finds the same", () => {
    const next = dice(11).roll;
    for (let round = 0; round < 20_000; round++) {
      const flow = randomFlow(next);
      if (differs(flow)) expect([flow, verdict(flow)]).toEqual([flow, oracle(flow)]);
    }
  });

  test("the oracle can tell a wrong verdict", () => {
    const flow = flowOfBits(["trigger", "action"], 0b1110);
    expect(oracle(flow)).toEqual({ unreached: [], inLoop: ["0", "1"], dangling: 0, undecided: ["1"] });
  });
});

describe("the order of nodes and edges", () => {
  test("changes nothing in the verdict but the indexes", () => {
    const next = dice(23).roll;
    const verdictOf = (flow: Flow): string[] =>
      problemsOf(flow, KNOWN)
        .map(({ nodeId, path, message }) => `${nodeId} ${path.replaceAll(/\[\d+\]/g, "[]")} ${message}`)
        .toSorted();
    for (let round = 0; round < 3000; round++) {
      const flow = randomFlow(next);
      const other = { nodes: shuffled(flow.nodes, next), edges: shuffled(flow.edges, next) };
      expect(verdictOf(other)).toEqual(verdictOf(flow));
    }
  });

  test("changes nothing in where a run goes", () => {
    const next = dice(29).roll;
    for (let round = 0; round < 3000; round++) {
      const flow = randomFlow(next);
      const other = { nodes: shuffled(flow.nodes, next), edges: shuffled(flow.edges, next) };
      for (const { id } of [...flow.nodes, { id: GHOST }]) {
        const state: RunState = { ...newRun(id), waiting: next(2) === 0, stepsSinceWait: next(2) * 150 };
        expect(perform(other, state)).toEqual(perform(flow, state));
      }
    }
  });
});

function perform(flow: Flow, state: RunState, score = 1, now = NOW): StepOutcome {
  const run = { automationId: "au_1", enrollmentId: "en_1" };
  return step({ flow, run, state, facts: { ...ABOUT_ADA, score }, now, zone: "UTC" });
}

describe("a run", () => {
  const TURNS_MAX = 400;

  /** Every turn of a run whose conditions fall as they may. */
  function turnsOf(
    flow: Flow,
    next: (below: number) => number,
  ): { state: RunState; outcome: StepOutcome; now: number }[] {
    const turns: { state: RunState; outcome: StepOutcome; now: number }[] = [];
    let [state, now] = [newRun("0"), NOW];
    while (turns.length < TURNS_MAX) {
      const outcome = perform(flow, state, next(2), now);
      turns.push({ state, outcome, now });
      if (outcome.kind !== "move") break;
      ({ state, nextRunAt: now } = outcome);
    }
    return turns;
  }

  test("moves only along an edge, one step at a time, never back in time, and rests only on a wait", () => {
    const next = dice(31).roll;
    for (let round = 0; round < 3000; round++) {
      const flow = randomFlow(next);
      for (const { state, outcome, now } of turnsOf(flow, next)) {
        if (outcome.kind !== "move") continue;
        const { state: after } = outcome;
        expect(outcome.nextRunAt).toBeGreaterThanOrEqual(now);
        if (after.waiting) {
          expect(after).toEqual({ ...state, waiting: true });
          expect(flow.nodes[Number(state.currentNodeId)]!.type).toBe("wait");
          expect(outcome).toMatchObject({ nextRunAt: now + 86_400_000, effects: [] });
        } else {
          expect(after.steps).toBe(state.steps + 1);
          expect(outcome.nextRunAt).toBe(now);
          expect(
            flow.edges.some(
              ({ source, target }) => source === state.currentNodeId && target === after.currentNodeId,
            ),
          ).toBe(true);
        }
      }
    }
  });

  test("ends, or waits again and again: never 101 steps in a loop without a wait", () => {
    const next = dice(37).roll;
    const ends = new Map<string, number>();
    for (let round = 0; round < 3000; round++) {
      const flow = randomFlow(next);
      const turns = turnsOf(flow, next);
      const { outcome } = turns.at(-1)!;
      ends.set(outcome.kind, (ends.get(outcome.kind) ?? 0) + 1);
      expect(Math.max(...turns.map(({ state }) => state.stepsSinceWait))).toBeLessThanOrEqual(
        100 + flow.nodes.length,
      );
      if (turns.length === TURNS_MAX) expect(turns.slice(-120).some(({ state }) => state.waiting)).toBe(true);
    }
    for (const kind of ["complete", "fail", "move"]) expect(ends.get(kind)).toBeGreaterThan(20);
  });

  test("of a flow without problems never FAILS", () => {
    const next = dice(41).roll;
    let sound = 0;
    for (let round = 0; round < 20_000; round++) {
      const flow = randomFlow(next);
      if (problemsOf(flow, KNOWN).length > 0) continue;
      sound++;
      expect(turnsOf(flow, next).at(-1)!.outcome.kind).not.toBe("fail");
    }
    expect(sound).toBeGreaterThan(500);
  });
});
