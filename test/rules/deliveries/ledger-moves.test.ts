import { describe, expect, test } from "bun:test";
import { DELIVERY_STATES, type DeliveryState, type Outcome } from "#deliveries/ledger.ts";
import { countMove, newAccount } from "#deliveries/moves/account.ts";
import { decideClaim, decideLook, type Claimable } from "#deliveries/moves/claim.ts";
import { LEFT_AT_DOT, LEFT_UNANSWERED } from "#deliveries/moves/left-behind.ts";
import { decideSettling } from "#deliveries/moves/settle.ts";
import { afterStrike } from "#deliveries/moves/strike.ts";
import { DAY } from "../../support/common/durations.ts";

const PHASES = ["planning", "sending", "finished", "stopped"] as const;
const NOW = 1_700_000_000_000;
const REFUSED = { code: 550, enhanced: "5.1.1", text: "no such user" };

const OUTCOMES: readonly Outcome[] = [
  { state: "sent", reply: { code: 250, enhanced: null, text: "queued" } },
  { state: "bounced", reason: "ADDRESS_REFUSED", reply: REFUSED },
  { state: "failed", reason: "REFUSED", reply: REFUSED },
  { state: "failed", reason: "CANNOT_BE_COMPOSED", reply: null, detail: "line 3" },
  { state: "uncertain", reason: "NO_REPLY" },
  { state: "queued", reason: "DEFERRED", reply: null, nextAttemptAt: NOW + 1 },
  { state: "queued", reason: "COMPOSING_FAILED", reply: null, nextAttemptAt: NOW + 1, detail: "too much" },
  { state: "untouched", reply: null },
];

const allowed: Claimable = {
  state: "queued",
  phase: "sending",
  isHeld: false,
  kind: "campaign",
  status: "SUBSCRIBED",
  suppression: null,
  domainBlocked: false,
  linkIsVoid: false,
  isForTest: false,
};

/** Every state with every phase. */
const rows = DELIVERY_STATES.flatMap((state) => PHASES.map((phase) => ({ state, phase })));

describe("the claim of a dot", () => {
  test("moves a row to its dot only from `queued`, of a mailing that is being sent and not held", () => {
    for (const row of rows) {
      for (const isHeld of [false, true]) {
        const { claim, move } = decideClaim({ ...allowed, ...row, isHeld });
        const isOwed = row.state === "queued" && row.phase === "sending";
        const now: readonly unknown[] = isHeld ? ["held", null] : ["dot", "dot"];
        expect([claim, move?.to ?? null] as readonly unknown[]).toEqual(isOwed ? now : ["gone", null]);
      }
    }
  });

  test.each([
    ["OPTED_OUT", { status: "UNSUBSCRIBED" }],
    ["OPTED_OUT", { status: "PENDING" }],
    ["SUPPRESSED", { suppression: "COMPLAINT" }],
    ["BLOCKED_DOMAIN", { domainBlocked: true }],
    ["CONTACT_GONE", { status: null }],
  ] as const)("is refused as %s, and the row is skipped with that reason: %o", (reason, barrier) => {
    const skipped = { to: "skipped", reason, countsAsAttempt: false } as const;
    expect(decideClaim({ ...allowed, ...barrier })).toEqual({ claim: reason, move: skipped });
    expect(decideLook({ ...allowed, ...barrier })).toEqual({ answer: reason, move: skipped });
  });

  test("is `held` before it is refused: a held mailing changes no row", () => {
    expect(decideClaim({ ...allowed, status: "UNSUBSCRIBED", isHeld: true })).toEqual({
      claim: "held",
      move: null,
    });
  });

  test("a look before it writes nothing about a row that may be sent", () => {
    expect(decideLook(allowed)).toEqual({ answer: "owed", move: null });
  });
});

describe("an outcome", () => {
  /** The states that the moves of an outcome go through. */
  const path = (
    row: { state: DeliveryState; phase: (typeof PHASES)[number]; kind?: "transactional" },
    outcome: Outcome,
  ) => decideSettling({ kind: "campaign", ...row }, outcome).map(({ to }) => to);

  test("moves nothing where the row is neither owed nor at its dot", () => {
    for (const row of rows.filter(({ state }) => state !== "queued" && state !== "dot"))
      for (const outcome of OUTCOMES) expect(path(row, outcome)).toEqual([]);
  });

  test("is where the row stands then; what is owed again of a stopped mailing is skipped at once", () => {
    for (const row of rows.filter(({ state }) => state === "queued" || state === "dot")) {
      for (const outcome of OUTCOMES) {
        const isOwedAgain = outcome.state === "queued" || outcome.state === "untouched";
        const states: DeliveryState[] =
          outcome.state !== "untouched" ? [outcome.state] : row.state === "dot" ? ["queued"] : [];
        const expected = isOwedAgain && row.phase === "stopped" ? [...states, "skipped"] : states;
        expect(path(row, outcome)).toEqual(expected as DeliveryState[]);
      }
    }
  });

  test("of a request that was given up is a failure where it is owed again, with the relay's reason if it gave one", () => {
    const givenUp = { state: "dot", phase: "stopped", kind: "transactional" } as const;
    for (const outcome of OUTCOMES) {
      const isOwedAgain = outcome.state === "queued" || outcome.state === "untouched";
      const expected: readonly DeliveryState[] = isOwedAgain ? ["queued", "failed"] : [outcome.state];
      expect<readonly DeliveryState[]>(path(givenUp, outcome)).toEqual(expected);
    }
    const reasonOf = (outcome: Outcome) => decideSettling(givenUp, outcome).at(-1)?.reason;
    expect(reasonOf({ state: "queued", reason: "DEFERRED", reply: null, nextAttemptAt: NOW })).toBe(
      "DEFERRED",
    );
    expect(reasonOf({ state: "untouched", reply: null })).toBe("RELAY_UNAVAILABLE");
  });

  test("counts as an attempt, unless nobody was at fault", () => {
    for (const outcome of OUTCOMES) {
      const [first] = decideSettling({ ...allowed, state: "dot" }, outcome);
      expect(first?.countsAsAttempt).toBe(outcome.state !== "untouched");
    }
  });

  test("keeps what the relay said, why, when it is owed again, and why it could not be made", () => {
    const moveOf = (outcome: Outcome) => decideSettling({ ...allowed, state: "dot" }, outcome)[0];
    expect(moveOf({ state: "bounced", reason: "ADDRESS_REFUSED", reply: REFUSED })).toEqual({
      to: "bounced",
      reason: "ADDRESS_REFUSED",
      detail: null,
      reply: REFUSED,
      countsAsAttempt: true,
    });
    const unmade = { state: "failed", reason: "CANNOT_BE_COMPOSED", reply: null, detail: "line 3" } as const;
    expect(moveOf(unmade)).toMatchObject({ to: "failed", detail: "line 3" });
    const deferred = { state: "queued", reason: "DEFERRED", reply: REFUSED, nextAttemptAt: NOW + 5 } as const;
    expect(moveOf(deferred)).toMatchObject({ to: "queued", nextAttemptAt: NOW + 5, reply: REFUSED });
  });
});

describe("the end of a process", () => {
  test("leaves its dots uncertain, and what nobody waits for any more failed", () => {
    expect(LEFT_AT_DOT).toMatchObject({ to: "uncertain", countsAsAttempt: true });
    expect(LEFT_UNANSWERED).toMatchObject({ to: "failed", countsAsAttempt: false });
  });
});

describe("the numbers of a mailing", () => {
  test("have each row once, whatever moves it", () => {
    for (const row of rows) {
      for (const to of DELIVERY_STATES) {
        const account = newAccount();
        countMove(account, row, to);
        expect(DELIVERY_STATES.reduce((sum, state) => sum + account[state], 0)).toBe(0);
        expect(account.accepted).toBe(to === "sent" ? 1 : 0);
      }
    }
  });

  const freed = (phase: (typeof PHASES)[number], ...path: DeliveryState[]): number => {
    const account = newAccount();
    let [state] = path;
    for (const to of path.slice(1)) {
      countMove(account, { state: state!, phase }, to);
      state = to;
    }
    return account.freed;
  };

  test.each<[number, DeliveryState[]]>([
    [0, ["queued", "dot", "sent"]],
    [0, ["queued", "dot", "uncertain", "sent", "bounced"]],
    [0, ["queued", "dot", "queued", "dot", "sent", "bounced"]],
    [1, ["queued", "skipped"]],
    [1, ["queued", "dot", "failed"]],
    [1, ["queued", "dot", "queued", "dot", "bounced"]],
  ])("give back %d reservations of a message that goes %o", (expected, path) => {
    expect(freed("sending", ...path)).toBe(expected);
  });

  test("give nothing back for what was queued when the mailing was stopped: that was given back then", () => {
    expect(freed("stopped", "queued", "skipped")).toBe(0);
    expect(freed("stopped", "dot", "queued", "skipped")).toBe(1);
    expect(freed("stopped", "dot", "sent")).toBe(0);
    expect(freed("stopped", "dot", "failed")).toBe(1);
  });
});

describe("a strike", () => {
  const full: Outcome = { state: "failed", reason: "MAILBOX_FULL", reply: REFUSED };
  const almost = { count: 4, firstAt: NOW - 40 * DAY, lastAt: NOW - 2 * DAY };

  test("is counted, and the outcome stays, until it is proof", () => {
    const first = afterStrike(full, "full", null, NOW);
    expect(first).toEqual({ outcome: full, history: { count: 1, firstAt: NOW, lastAt: NOW } });
  });

  test("that is proof makes the outcome a hard bounce, with what the relay said", () => {
    const last = afterStrike(full, "full", almost, NOW);
    expect(last.outcome).toEqual({ state: "bounced", reason: "MAILBOX_FULL", reply: REFUSED });
    expect(last.history).toMatchObject({ count: 5 });
  });

  test("without a reply that can be shown leaves the outcome as it is", () => {
    const unsaid: Outcome = { state: "failed", reason: "EXPIRED", reply: null };
    expect(afterStrike(unsaid, "full", almost, NOW).outcome).toEqual(unsaid);
  });
});
