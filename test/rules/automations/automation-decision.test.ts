import { describe, expect, test } from "bun:test";
import { listenersOf } from "#automations/run/listeners.ts";
import { letterSource, mailGate, nodeLetter } from "#automations/mail/mail-plan.ts";
import { again, decideStep } from "#automations/run/step/decision.ts";
import { fairRounds } from "#automations/run/fair-round.ts";
import { DEFAULT_SETTINGS } from "#workspaces/settings/settings.ts";
import {
  ABOUT_ADA,
  ADA,
  flowAround,
  HELLO,
  node,
  NOW,
  RUN,
  standingOn,
} from "../../support/automations/flows.ts";
import { DAY } from "../../support/common/durations.ts";

const SETTINGS = { ...DEFAULT_SETTINGS, mailingAddress: "1 Analytical Way", fromEmail: "ada@example.com" };
const NONE = () => 0;

describe("whose turn it is", () => {
  const due = (workspaceId: string, dueAt: number) => ({ workspaceId, dueAt });
  const orderOf = (...all: ReturnType<typeof due>[]) => {
    const next = fairRounds<(typeof all)[number]>()(all);
    return all.map(() => next()).map((one) => `${one?.workspaceId}${one?.dueAt}`);
  };

  test("workspaces come one after the other, each with what has waited longest", () => {
    expect(orderOf(due("a", 5), due("a", 1), due("a", 3), due("b", 4), due("b", 2))).toEqual([
      "a1",
      "b2",
      "a3",
      "b4",
      "a5",
    ]);
  });

  test("who had a turn in a round that was broken off comes after those that had none", () => {
    const all = [due("a", 1), due("b", 2), due("c", 3)];
    const round = fairRounds<(typeof all)[number]>();
    const first = round(all);
    expect([first()?.workspaceId, first()?.workspaceId]).toEqual(["a", "b"]);
    const second = round(all);
    expect(all.map(() => second()?.workspaceId)).toEqual(["c", "a", "b"]);
  });

  test("who had nothing due for a round is as if never served", () => {
    const [a, b] = [due("a", 1), due("b", 2)];
    const round = fairRounds<typeof a>();
    expect(round([a])()).toBe(a);
    expect(round([b])()).toBe(b);
    const third = round([a, b]);
    expect([third()?.workspaceId, third()?.workspaceId]).toEqual(["a", "b"]);
  });

  test("everyone once, then nobody", () => {
    const one = due("a", 1);
    const next = fairRounds<typeof one>()([one]);
    expect([next(), next()]).toEqual([one, null]);
  });
});

describe("whether a mail may be planned", () => {
  test("open, and it names the month of the workspace's zone", () => {
    const late = Date.parse("2026-11-30T23:30:00Z");
    expect(mailGate(SETTINGS, late, NONE)).toEqual({ kind: "open", month: "2026-11" });
    expect(mailGate({ ...SETTINGS, timezone: "Europe/Berlin" }, late, NONE)).toEqual({
      kind: "open",
      month: "2026-12",
    });
  });

  test("quiet hours hold it until they end, whatever the limit says", () => {
    const quietHours = { fromMinute: 9 * 60, toMinute: 10 * 60 };
    const gate = mailGate({ ...SETTINGS, quietHours, monthlyLimit: 0 }, NOW, NONE);
    expect(gate).toEqual({ kind: "hold", until: Date.parse("2026-11-21T10:00:00Z") });
  });

  test.each([
    ["mailingAddress", { mailingAddress: "" }],
    ["fromEmail", { fromEmail: "" }],
  ])("what a person can cure names %s and is tried again", (named, change) => {
    const gate = mailGate({ ...SETTINGS, ...change }, NOW, () => 5);
    expect(gate).toEqual({ kind: "retry", problem: expect.stringContaining(named) });
  });

  test("the monthly limit holds it until there is room", () => {
    const gate = mailGate({ ...SETTINGS, monthlyLimit: 5 }, NOW, () => 5);
    expect(gate).toEqual({ kind: "full", problem: expect.stringContaining("monthly limit") });
  });
});

describe("a mail that is held by quiet hours", () => {
  const data = { ...HELLO, subject: "{{ contact.firstName }}" };
  const decided = (firstName: string, now: number) =>
    decideStep(
      { flow: flowAround("action", data), compiled: new Map(), mails: new Map() },
      { ...SETTINGS, quietHours: { fromMinute: 9 * 60, toMinute: 10 * 60 } },
      {
        run: RUN,
        state: standingOn("it"),
        facts: { ...ABOUT_ADA, contact: { ...ADA, firstName } },
        tries: { attempts: 0, firstAttemptAt: null },
        now,
        jitter: 0,
        usedIn: NONE,
      },
    );
  const quietEnds = Date.parse("2026-11-21T10:00:00Z");

  test("is judged with the values of when it may go out, not of when it was due", () => {
    expect(decided("", NOW)).toEqual({ kind: "later", at: quietEnds, problem: null });
    expect(decided("Ada", quietEnds)).toMatchObject({ mail: { letter: { nodeId: "it" } } });
    expect(decided("", quietEnds)).toMatchObject({
      kind: "fail",
      errorMessage: expect.stringContaining("The subject is empty"),
    });
  });
});

describe("the letter of a node", () => {
  const mail = { subject: "Hi", html: "<p>Hi</p>" };
  const key = (nodeId: string, change: object = {}) =>
    nodeLetter(nodeId, mail, { ...SETTINGS, ...change }).key;

  test("is another one for another node, wording or sender, and the same otherwise", () => {
    expect(key("a")).toBe(key("a"));
    expect(
      new Set([
        key("a"),
        key("b"),
        key("a", { fromName: "Ada" }),
        nodeLetter("a", { ...mail, subject: "Ho" }, SETTINGS).key,
      ]).size,
    ).toBe(4);
  });

  test("has a name of its own each month, fit for a header whatever the node is called", () => {
    const letter = nodeLetter("Grüße: 1\n", mail, SETTINGS);
    expect(letterSource("aut_1", letter, "2026-11")).toMatch(/^aut_1:[0-9a-f]{24}:2026-11$/);
  });
});

describe("a step tried in vain", () => {
  const first = NOW;
  test("comes again after growing pauses, and fails after a day", () => {
    const later = again("x", "why", { attempts: 0, firstAttemptAt: null }, { now: NOW, jitter: 0.5 });
    expect(later).toEqual({ kind: "later", at: NOW + 60_000, problem: "why" });
    const over = again("x", "why", { attempts: 9, firstAttemptAt: first }, { now: first + DAY, jitter: 0.5 });
    expect(over).toEqual({
      kind: "fail",
      errorMessage: 'The step "x" was tried for a day in vain. The last reason: why',
    });
  });
});

describe("what a flow listens to", () => {
  test("its readable triggers, normalized, each once", () => {
    const trigger = (id: string, data: object) => node(id, "trigger", data as never);
    const flow = {
      nodes: [
        trigger("a", { trigger: "custom_event", eventName: "Order Placed" }),
        trigger("b", { trigger: "custom_event", eventName: "order_placed" }),
        trigger("c", { trigger: "tag_added", tag: " vip " }),
        trigger("d", { trigger: "nothing" }),
        node("e", "wait", { trigger: "new_subscriber" }),
      ],
      edges: [],
    };
    expect(listenersOf(flow)).toEqual([
      { kind: "custom_event", detail: "order_placed" },
      { kind: "tag_added", detail: "vip" },
    ]);
  });
});
