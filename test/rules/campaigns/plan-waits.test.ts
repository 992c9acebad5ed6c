import { expect, test } from "bun:test";
import type { Completion, PlanEnded } from "#campaigns/send/plan.ts";
import { planningService } from "#campaigns/send/planning-service.ts";
import { campaignSending } from "#campaigns/send/sending-service.ts";
import { DEFAULT_OPTIONS } from "#campaigns/options/options.ts";
import { invalid, type Refusal } from "#core/errors/errors.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { WorkLate } from "#work/pool.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";

const PLAN = { number: 1, workspaceId: "ws_1", campaignId: "cmp_1" };
const OPTIONS = { excludeEmails: [], scheduledAt: null, overrideQuietHours: false };
const BEGUN = { kind: "begun", overrideQuietHours: false };
const SETTINGS = {
  suspended: false,
  sending: true,
  mailingAddress: "1 Analytical Way",
  fromEmail: "ada@example.com",
  senderDomains: [],
  dailyCap: null,
  monthlyLimit: null,
  timezone: "UTC",
};
const late = new WorkLate("The machine is too busy.");
const away = new StorageError("unreachable", new Error("gone"));

/** Each call takes the next answer; the last one stays. */
function inTurn<T>(...answers: readonly (T | Error)[]) {
  let n = 0;
  return async (): Promise<T> => {
    const answer = answers[Math.min(n++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer as T;
  };
}

type Answers = {
  readonly refusalOf: () => Promise<Refusal | null>;
  readonly settings: () => Promise<unknown>;
  readonly checkLetter: (workspaceId: string, letter: { subject: string }) => Promise<Refusal | null>;
  readonly begin: () => Promise<typeof PLAN | "taken" | null>;
  /** What the other server left. */
  readonly leftover: () => Promise<(typeof PLAN & { isGivenUp: boolean }) | null>;
  /** The campaign's send, once it is planned. */
  readonly mailing: () => number | null;
  /** The letter that stands in the campaign. */
  readonly subject: () => Promise<string>;
};

/** A plan that was cut off and goes on, with everything around it made up. */
function madeUp(given: Partial<Answers>) {
  const answers: Answers = {
    refusalOf: inTurn<null>(null),
    settings: inTurn(SETTINGS),
    checkLetter: inTurn<null>(null),
    begin: inTurn(PLAN),
    leftover: inTurn<null>(null),
    mailing: () => null,
    subject: inTurn("S"),
    ...given,
  };
  const clock = manualClock();
  const done: string[] = [];
  let isThere = true;
  const plans = {
    plannedSoFar: async () => 0,
    unfinished: async () => (isThere ? [{ ...PLAN, scheduledAt: null, state: BEGUN }] : []),
    leftover: answers.leftover,
    begin: answers.begin,
    settle: async () => undefined,
    planNext: async () => "end",
    async complete(_: unknown, { isChecked, check }: Completion): Promise<PlanEnded> {
      const options = { ...DEFAULT_OPTIONS, personalize: true };
      const letter = { name: "N", subject: await answers.subject(), html: "<p>", options, list: null };
      if (!isChecked(letter)) return { unchecked: letter };
      const refused = check({ mailable: 1, dayUsed: 0, monthUsed: 0 }, letter);
      if (refused !== null) return { refused };
      done.push(`complete ${letter.subject}`);
      isThere = false;
      return "complete";
    },
    giveUp: async () => void done.push("giveUp"),
    abandon: async () => {
      isThere = false;
      return true;
    },
  };
  const campaign = { id: "cmp_1", status: "DRAFT", scheduledAt: null };
  const ignored = () => undefined;
  const parts = {
    campaigns: { find: async () => ({ campaign, options: {}, mailing: answers.mailing(), paused: null }) },
    workspaces: { settings: answers.settings },
    log: { debug: ignored, info: ignored, warn: ignored, error: ignored },
    plans,
    clock,
  };
  const planning = planningService({ ...parts, ...answers } as never);
  const sender = { wake: async () => undefined, isActive: () => false, blockedBy: () => null };
  const progress = async () => ({ accepted: 0, failed: 0, bounced: 0, uncertain: 0, remaining: 1 });
  const around = { sender, ledger: { progress }, warningsOf: async () => [], warningsAtHand: async () => [] };
  const sending = campaignSending({ ...parts, ...around, planning } as never);
  const send = () => sending.send("ws_1", "cmp_1", async () => OPTIONS);
  return { planning, send, clock, done };
}

const shortOfMemory: Refusal = { ...invalid("too much memory").refusal, isPassing: true };

const waits: readonly [string, Partial<Answers>][] = [
  ["its letter cannot be checked just now", { checkLetter: inTurn<null>(late, late, null) }],
  [
    "memory is short for its letter",
    { checkLetter: inTurn<Refusal | null>(shortOfMemory, shortOfMemory, null) },
  ],
  ["the database does not answer about the settings", { settings: inTurn<unknown>(away, SETTINGS) }],
];

test.each<[string, Partial<Answers>]>([
  ...waits,
  ["what stands in its way cannot be found out just now", { refusalOf: inTurn<null>(late, late, null) }],
  ["memory is short before", { refusalOf: inTurn<Refusal | null>(shortOfMemory, shortOfMemory, null) }],
])("a plan that was cut off waits where %s", async (_, answers) => {
  const { planning, clock, done } = madeUp(answers);
  await planning.lookAfter(() => undefined);
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect(done).toEqual(["complete S"]);
});

test.each(waits)("a plan of this server waits where %s", async (_, answers) => {
  const { planning, clock, done } = madeUp(answers);
  const planned = planning.plan("ws_1", "cmp_1", OPTIONS);
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect([await planned, done]).toEqual([1, ["complete S"]]);
});

test("a letter for which memory is short at the third try too is given up", async () => {
  const { planning, clock, done } = madeUp({ checkLetter: inTurn<Refusal | null>(shortOfMemory) });
  const ended = planning.plan("ws_1", "cmp_1", OPTIONS).catch((error: unknown) => error);
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect(await ended).toMatchObject({ message: "too much memory" });
  expect([done[0], clock.monotonicMs() >= 120_000]).toEqual(["giveUp", true]);
});

const full = new StorageError("full", new Error("no room"));

/** A call, whether it was answered, and how much later than its budget of 45 seconds it is. */
async function lateCall(answers: Partial<Answers>) {
  const made = madeUp(answers);
  let isAnswered = false;
  const answer = made.send().finally(() => (isAnswered = true));
  const ended = answer.catch((error: unknown) => error);
  const until = made.clock.now() + 60_000;
  await eventually(() => (made.clock.advance(1_000), made.clock.now() >= until));
  return { ...made, ended, isAnswered: () => isAnswered };
}

// Nothing is kept of a send before its plan began: with this process, a promise would be lost.
test("a call is not answered before its plan began, however long the guardrails are asked", async () => {
  const guardrails = Promise.withResolvers<null>();
  const { ended, isAnswered, clock, done } = await lateCall({ refusalOf: () => guardrails.promise });
  expect(isAnswered()).toBe(false);
  guardrails.resolve(null);
  await eventually(() => (clock.advance(1_000), isAnswered()));
  expect(await ended).toMatchObject({ sent: 0, failed: 0, complete: false });
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect(done).toEqual(["complete S"]);
});

test("nor while its beginning is written", async () => {
  const beginning = Promise.withResolvers<typeof PLAN>();
  const { ended, isAnswered, clock, done } = await lateCall({ begin: () => beginning.promise });
  expect(isAnswered()).toBe(false);
  beginning.resolve(PLAN);
  await eventually(() => (clock.advance(1_000), isAnswered()));
  expect(await ended).toMatchObject({ sent: 0, failed: 0, complete: false });
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect(done).toEqual(["complete S"]);
});

test.each([
  ["the disk is full", full],
  ["the database does not answer", away],
])("and is told if it could not begin because %s", async (_, error) => {
  const beginning = Promise.withResolvers<typeof PLAN>();
  const { ended, clock, done } = await lateCall({ begin: () => beginning.promise });
  beginning.reject(error);
  expect(await ended).toBe(error);
  clock.advance(60_000);
  expect(done).toEqual([]);
});

test("it is answered in time where the plan began and takes long", async () => {
  const { ended, isAnswered, clock, done } = await lateCall({
    checkLetter: inTurn<null>(...Array.from({ length: 70 }, () => late), null),
  });
  expect(isAnswered()).toBe(true);
  expect(await ended).toEqual({ sent: 0, failed: 0, remaining: 0, complete: false });
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect(done).toEqual(["complete S"]);
});

test.each([
  ["its letter cannot be checked", late],
  ["the database does not answer", away],
])("one whose caller waits is not tried again where %s", async (_, error) => {
  let asked = 0;
  const { send, done } = madeUp({
    refusalOf: async () => {
      asked++;
      throw error;
    },
  });
  expect(await send().catch((thrown: unknown) => thrown)).toBe(error);
  expect([asked, done]).toEqual([1, []]);
});

test("one that nobody was promised ends there, because its caller is told", async () => {
  const { planning } = madeUp({ begin: inTurn<typeof PLAN>(away) });
  expect(await planning.plan("ws_1", "cmp_1", OPTIONS).catch((thrown: unknown) => thrown)).toBe(away);
});

test.each<[string, (typeof PLAN | "taken" | null)[], number | null, number, string[]]>([
  ["is sent", ["taken", "taken", null], 7, 7, []],
  ["is given up", ["taken", "taken", PLAN], null, 1, ["complete S"]],
])("a call waits for the plan that another server makes: it %s", async (_, begin, mailing, planned, made) => {
  let asked = 0;
  const next = inTurn(...begin);
  const { planning, clock, done } = madeUp({ begin: () => (asked++, next()), mailing: () => mailing });
  const ended = planning.plan("ws_1", "cmp_1", OPTIONS);
  await planning.begun("cmp_1");
  expect([planning.isMaking("cmp_1"), asked]).toEqual([true, 1]);
  await eventually(() => (clock.advance(500), asked === 3));
  expect([await ended, done]).toEqual([planned, made]);
});

test("and hears why that was refused, if its own is too", async () => {
  const { refusal } = invalid("It does not compile.");
  const { planning, clock } = madeUp({
    begin: inTurn<typeof PLAN | "taken">("taken", PLAN),
    checkLetter: inTurn(refusal),
  });
  const ended = planning.plan("ws_1", "cmp_1", OPTIONS).catch((thrown: unknown) => thrown);
  await eventually(() => clock.waitsFor(500));
  clock.advance(500);
  expect(await ended).toMatchObject({ message: "It does not compile." });
});

test("and where the other server ends, the plan goes on as that one began it", async () => {
  const { planning, send, clock, done } = madeUp({
    begin: inTurn<typeof PLAN | "taken">("taken", PLAN),
    leftover: inTurn<(typeof PLAN & { isGivenUp: boolean }) | null>(null, { ...PLAN, isGivenUp: false }),
  });
  const sent = send();
  await eventually(() => clock.waitsFor(500));
  clock.advance(500);
  expect([await sent, done]).toEqual([{ sent: 0, failed: 0, remaining: 0, complete: false }, []]);
  await planning.lookAfter(() => undefined);
  await eventually(() => done.length > 0);
  expect(done).toEqual(["complete S"]);
});

test("and waits no longer when the server ends", async () => {
  const { planning, clock } = madeUp({ begin: inTurn<"taken">("taken") });
  const ended = planning.plan("ws_1", "cmp_1", OPTIONS);
  await eventually(() => clock.waitsFor(500));
  await planning.stop();
  expect(await ended).toBeNull();
});

test("a plan that waits when the server ends is left for the next one", async () => {
  const { planning, clock, done } = madeUp({ checkLetter: inTurn<null>(late) });
  const planned = planning.plan("ws_1", "cmp_1", OPTIONS);
  await eventually(() => clock.waitsFor(1_000));
  await planning.stop();
  expect([await planned, done]).toEqual([null, []]);
});

test("a letter that is changed while it is checked is checked again, and no other goes out", async () => {
  const checked: string[] = [];
  const { planning, done } = madeUp({
    subject: inTurn("A", "B", "C"),
    checkLetter: async (_, { subject }) => (checked.push(subject), null),
  });
  await planning.plan("ws_1", "cmp_1", OPTIONS);
  expect([checked, done]).toEqual([["A", "B", "C"], ["complete C"]]);
});

test("a plan whose letter does not compile at its end is given up", async () => {
  const { refusal } = invalid("It does not compile.");
  const { planning, done } = madeUp({ checkLetter: inTurn(refusal) });
  const error = await planning.plan("ws_1", "cmp_1", OPTIONS).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: "It does not compile." });
  expect(new Set(done)).toEqual(new Set(["giveUp"]));
});
