import { describe, expect, test } from "bun:test";
import type { Decision } from "#automations/run/step/decision.ts";
import { changedContact } from "#automations/run/step/changed-contact.ts";
import type { Facts } from "#automations/run/step/facts.ts";
import type { Around, RunRule, RunWrite } from "#automations/run/step/node-performance.ts";
import { tallyOf } from "#automations/run/node-tally.ts";
import { CAUSAL_DEPTH_MAX, causedDepth, type Run } from "#automations/run/run.ts";
import type { ContactChange, Move } from "#automations/run/step/step-outcome.ts";
import { afterCall, afterCrash, NODES_A_TURN, takeTurn, type Ask, type Turn } from "#automations/run/turn.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Contact } from "#contacts/contact.ts";
import { edges, node } from "../../support/automations/flows.ts";

const NOW = 1_700_000_000_000;
const ADA = {
  id: "ct_ada",
  email: "ada@example.com",
  tags: ["new"] as readonly string[],
  attributes: {},
} as Contact;
const ADA_READ = { ...ADA, firstName: "Ada, read again" };
const ADA_TAGGED = { ...ADA, tags: ["new", "vip"] } as Contact;

const run: Run = {
  seq: 7,
  id: "enr_7",
  automation: 1,
  contact: 3,
  event: null,
  depth: 0,
  state: { currentNodeId: "n0", waiting: false, steps: 0, stepsSinceWait: 0 },
  tries: { attempts: 2, firstAttemptAt: NOW - 5 },
  dueAt: NOW,
  problem: "earlier trouble",
};

const standsAt = (n: number, waiting = false) => ({
  currentNodeId: `n${n}`,
  waiting,
  steps: n,
  stepsSinceWait: n,
});
const goTo = (n: number, effects: Move["effects"] = [], nextRunAt = NOW): Decision => ({
  kind: "move",
  state: standsAt(n),
  nextRunAt,
  effects,
  mail: null,
});

/** A flow whose node `n0`, `n1` ... decides what is at that place. */
const around = (
  outcomes: readonly Decision[],
  retryAt: RunRule["retryAt"] = () => null,
  isOver = (): boolean => false,
): Around => ({
  automation: { id: "auto_1", workspaceId: "ws_1" },
  now: NOW,
  isOver,
  rule: {
    needs: () => null,
    decide: ({ state }) => outcomes[Number(state.currentNodeId.slice(1))]!,
    jitter: () => 0,
    retryAt,
    callAgainAt: (_, now) => now + 1_000,
  },
});

/** Takes a turn to its end, as a store does it; what it asked, and what came of it. */
function taken(
  outcomes: readonly Decision[],
  { mayCall = true, nodesMax = NODES_A_TURN, isOver = (): boolean => false, depth = 0 } = {},
) {
  const asks: Ask[] = [];
  const turn = takeTurn(
    { run: { ...run, depth }, contact: ADA },
    around(outcomes, () => null, isOver),
    () => mayCall,
    nodesMax,
  );
  let step = turn.next();
  while (step.done !== true) {
    asks.push(step.value);
    const facts = { contact: step.value.contact ?? ADA_READ } as Facts;
    step = turn.next({ facts, usedIn: () => 0 });
  }
  const end: Turn = step.value;
  return { asks, end, writes: [...asks.flatMap(({ writes }) => writes), ...end.writes] };
}
const kinds = (writes: readonly RunWrite[]) => writes.map(({ kind }) => kind);
const nodes = (end: Turn) => Object.fromEntries(tallyOf(end.sum.passages));
const once = (how: "completed" | "failed", entered = 1) => ({ entered, completed: 0, failed: 0, [how]: 1 });

describe("a turn", () => {
  test("goes over the nodes and writes where the run stands once, at the end", () => {
    const { asks, end, writes } = taken([goTo(1), goTo(2), { kind: "complete", effects: [], mail: null }]);
    expect(asks.map(({ run: at }) => at.state.currentNodeId)).toEqual(["n0", "n1", "n2"]);
    expect(kinds(writes)).toEqual(["complete"]);
    expect(end.next).toBeNull();
    expect(end.sum).toMatchObject({ done: 3, mails: 0, calls: [], crashes: [] });
    expect(nodes(end)).toEqual({ n0: once("completed", 0), n1: once("completed"), n2: once("completed") });
  });

  test("has a change written before the next node looks, which sees the contact as it left them", () => {
    const tag = { kind: "addTag", tag: "vip" } as const;
    const { asks, writes } = taken([goTo(1, [tag]), { kind: "complete", effects: [tag], mail: null }]);
    expect(asks.map(({ contact }) => contact)).toEqual([ADA, ADA_TAGGED]);
    expect(asks[1]?.writes).toEqual([{ kind: "change", effect: tag, contact: ADA, depth: 1 }]);
    // What the second node changes starts from the contact as the first one left them.
    expect(writes.at(-2)).toEqual({ kind: "change", effect: tag, contact: ADA_TAGGED, depth: 1 });
    expect(kinds(writes)).toEqual(["change", "change", "complete"]);
  });

  test("has the contact read again after a change that is decided where it is written", () => {
    const { asks, writes } = taken([
      goTo(1, [{ kind: "unsubscribe" }]),
      { kind: "complete", effects: [{ kind: "addTag", tag: "x" }], mail: null },
    ]);
    expect(asks.map(({ contact }) => contact)).toEqual([ADA, null]);
    expect(writes.at(-2)).toMatchObject({ kind: "change", contact: ADA_READ });
  });

  test("ends after its first node where others have waited long enough, and is due again at once", () => {
    const { end, writes } = taken([goTo(1), goTo(2), goTo(3)], { isOver: () => true });
    expect(end.sum.done).toBe(1);
    expect(writes).toMatchObject([{ kind: "stand", at: NOW, run: { state: standsAt(1) } }]);
  });

  test("ends where the run waits: it stands there without the tries of the node before", () => {
    const { end, writes } = taken([goTo(1, [], NOW + 60_000)]);
    expect(writes).toEqual([
      {
        kind: "stand",
        at: NOW + 60_000,
        run: { ...run, state: standsAt(1), tries: { attempts: 0, firstAttemptAt: null }, problem: null },
      },
    ]);
    expect(end.next).toBeNull();
  });

  test("counts no passage where a wait begins", () => {
    const begun: Decision = {
      kind: "move",
      state: { ...run.state, waiting: true },
      nextRunAt: NOW + 1,
      effects: [],
      mail: null,
    };
    expect(nodes(taken([begun]).end)).toEqual({});
  });

  test("of a long way is cut, and the run is due again at once", () => {
    const way = Array.from({ length: 40 }, (_, n) => goTo(n + 1));
    const { end, writes } = taken(way);
    expect(end.sum.done).toBe(NODES_A_TURN);
    expect(writes).toMatchObject([{ kind: "stand", at: NOW, run: { state: standsAt(NODES_A_TURN) } }]);
    const single = taken(way, { nodesMax: 1 });
    expect(single.end.next?.run.state).toEqual(standsAt(1));
    expect(single.writes).toMatchObject([{ kind: "stand", at: NOW, run: { state: standsAt(1) } }]);
  });

  test("writes a mail before the run moves on, once", () => {
    const mail = { letter: { nodeId: "n0" }, month: "2026-11" } as Extract<
      Decision,
      { kind: "move" }
    >["mail"];
    const { end, writes } = taken([
      { ...(goTo(1, [], NOW + 1) as Extract<Decision, { kind: "move" }>), mail },
    ]);
    expect(writes[0]).toEqual({ kind: "mail", mail: mail!, execution: 0, address: ADA.email });
    expect(kinds(writes)).toEqual(["mail", "stand"]);
    expect(end.sum.mails).toBe(1);
  });

  const call = {
    kind: "webhook",
    nodeId: "n0",
    messageId: "m",
    url: "https://x.example",
    payload: {},
  } as const;
  const next = { kind: "complete", effects: [] } as const;

  test("owes a call, and the run waits for its end", () => {
    const { end, writes } = taken([{ kind: "needs", call, next }]);
    expect(end.sum.calls).toMatchObject([
      { enrollment: 7, steps: 0, workspaceId: "ws_1", call, next, attempts: 2 },
    ]);
    expect(writes).toMatchObject([{ kind: "stand", at: NOW + 60_000 }]);
    expect(nodes(end)).toEqual({});
  });

  test("owes no call where enough are under way, and that is no try", () => {
    const { end, writes } = taken([{ kind: "needs", call, next }], { mayCall: false });
    expect(end.sum.calls).toEqual([]);
    expect(writes).toEqual([{ kind: "stand", at: NOW + 1_000, run }]);
  });

  test("fails its run with what a person reads", () => {
    const { end, writes } = taken([goTo(1), { kind: "fail", errorMessage: "No such list." }]);
    expect(writes).toMatchObject([{ kind: "fail", errorMessage: "No such list." }]);
    expect(nodes(end)).toMatchObject({ n1: once("failed") });
  });

  test.each([
    ["with a problem, which is a try", "The limit is reached.", 3],
    ["without one, which is none", null, 2],
  ])("puts a step off %s", (_name, problem, attempts) => {
    const { writes } = taken([{ kind: "later", at: NOW + 9, problem }]);
    expect(writes).toMatchObject([{ kind: "stand", at: NOW + 9, run: { tries: { attempts } } }]);
    expect(writes).toMatchObject([{ run: { problem } }]);
  });
});

describe("automations that start each other", () => {
  const TAG = { kind: "addTag", tag: "next" } as const;
  const causes = (state: Partial<Run["state"]>, depth = 3) =>
    causedDepth({ depth, state: { ...run.state, ...state } });

  test("come to rest, if nobody waits: the first run of a chain that is too long has FAILED, with nothing done", () => {
    let [depth, entered] = [0, 0];
    for (; ; entered++) {
      const { end, writes } = taken([{ kind: "complete", effects: [TAG], mail: null }], { depth });
      const [change] = writes;
      if (change?.kind !== "change") {
        expect(writes).toMatchObject([
          {
            kind: "fail",
            errorMessage:
              'The step "n0" was not performed: 6 automations started each other before this one, without a wait. Put a wait into one of them.',
          },
        ]);
        expect(nodes(end)).toEqual({ n0: once("failed", 0) });
        break;
      }
      depth = change.depth;
    }
    expect(entered).toBe(CAUSAL_DEPTH_MAX + 1);
  });

  test("are a chain until one of them waits: a run that has waited begins a new one", () => {
    expect(causes({ steps: 2, stepsSinceWait: 2 })).toBe(4);
    // Its wait is over, and its node was made another one meanwhile.
    expect(causes({ steps: 2, stepsSinceWait: 2, waiting: true })).toBe(0);
    expect(causes({ steps: 2, stepsSinceWait: 0 })).toBe(0);
    expect(causes({ steps: 9, stepsSinceWait: 7 }, CAUSAL_DEPTH_MAX)).toBe(0);
  });
});

describe("a contact after a change", () => {
  test.each<[ContactChange, Partial<Contact>]>([
    [{ kind: "addTag", tag: "vip" }, { tags: ["new", "vip"] }],
    [{ kind: "removeTag", tag: "new" }, { tags: [] }],
    [{ kind: "setField", field: "firstName", value: "Ada" }, { firstName: "Ada" }],
    [
      { kind: "setAttribute", name: "plan", value: "pro", attributes: { plan: "pro" } },
      { attributes: { plan: "pro" } },
    ],
    [{ kind: "addToList", listId: "lst_1" }, {}],
    [{ kind: "removeFromList", listId: "lst_1" }, {}],
  ])("%o", (change, differs) => {
    expect(changedContact(ADA, change)).toEqual({ ...ADA, ...differs });
  });

  test("who opts out is read again", () => expect(changedContact(ADA, { kind: "unsubscribe" })).toBeNull());
});

describe("after a crash", () => {
  test("the step is tried again later, as a try more", () => {
    const { move, passage } = afterCrash(
      run,
      new Error("boom"),
      around([], (crashes) => NOW + crashes),
    );
    expect(move).toMatchObject({ kind: "stand", at: NOW + 3, run: { tries: { attempts: 3 } } });
    expect(passage).toBeNull();
  });

  test("too often, the run has failed and says where", () => {
    const { move, passage } = afterCrash(run, new Error("boom"), around([]));
    expect(move).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringMatching(/n0.* failed again and again.*boom/),
    });
    expect(passage).toEqual({ left: "n0", how: "failed", entered: null });
  });
});

describe("after a call", () => {
  const next: Move = { kind: "move", state: standsAt(1), nextRunAt: NOW + 4, effects: [] };
  const NO_FLOW: Flow = { nodes: [], edges: [] };
  const flowWith = (type: string, ...arrows: string[]): Flow => ({
    nodes: [node("n0", type)],
    edges: edges(...arrows),
  });

  test.each([
    ["the edge of now", flowWith("action", "n0>new"), "new"],
    ["no edge: it is done", flowWith("action"), null],
    ["two edges: where it would have gone", flowWith("action", "n0>new", "n0>other"), "n1"],
    [
      "another node of its name that asks: where it would have gone",
      flowWith("condition", "n0>new true"),
      "n1",
    ],
    ["no such node: where it would have gone", NO_FLOW, "n1"],
  ])("that was answered while the flow was changed, the run follows %s", (_, flow, entered) => {
    const { move, passage } = afterCall(run, { next }, { kind: "done" }, { flow, now: NOW });
    expect(passage).toEqual({ left: "n0", how: "completed", entered });
    expect(move.kind).toBe(entered === null ? "complete" : "stand");
    expect(move.run.state.currentNodeId).toBe(entered ?? "n0");
  });

  test("that was answered, the run goes on", () => {
    const { move, passage } = afterCall(run, { next }, { kind: "done" }, { flow: NO_FLOW, now: NOW });
    expect(move).toMatchObject({ kind: "stand", at: NOW + 4, run: { state: standsAt(1), problem: null } });
    expect(passage).toEqual({ left: "n0", how: "completed", entered: "n1" });
  });

  test("that failed for good, it has failed; one that is tried again leaves it at its node", () => {
    const here = { flow: NO_FLOW, now: NOW };
    const failed = afterCall(run, { next }, { kind: "fail", errorMessage: "410 Gone" }, here);
    expect(failed.move).toEqual({ kind: "fail", run, errorMessage: "410 Gone" });
    const later = afterCall(run, { next }, { kind: "later", at: NOW + 8, problem: "503" }, here);
    expect(later.move).toMatchObject({
      kind: "stand",
      at: NOW + 8,
      run: { problem: "503", state: run.state },
    });
    expect(later.passage).toBeNull();
  });
});
