import { expect, test } from "bun:test";
import type { Completion, PlanEnded } from "#campaigns/send/plan.ts";
import { planningService } from "#campaigns/send/planning-service.ts";
import { campaignSending } from "#campaigns/send/sending-service.ts";
import { DEFAULT_OPTIONS } from "#campaigns/options/options.ts";
import { invalid, type Refusal } from "#core/errors/errors.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { WorkLate } from "#work/pool.ts";
import { manualClock } from "../support/common/manual-clock.ts";
import { eventually } from "../support/sending/relay.ts";

const PLAN = { number: 1, workspaceId: "ws_1", campaignId: "cmp_1" };
const OPTIONS = { excludeEmails: [], scheduledAt: null, overrideQuietHours: false };
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
  readonly begin: () => Promise<typeof PLAN>;
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
    subject: inTurn("S"),
    ...given,
  };
  const clock = manualClock();
  const done: string[] = [];
  let isThere = true;
  const plans = {
    plannedSoFar: async () => 0,
    unfinished: async () => (isThere ? [{ ...PLAN, scheduledAt: null, goesOn: OPTIONS }] : []),
    leftover: async () => null,
    begin: answers.begin,
    settle: async () => undefined,
    planNext: async () => "end",
    async complete(_: unknown, { isChecked, check }: Completion): Promise<PlanEnded> {
      const options = { ...DEFAULT_OPTIONS, personalize: true };
      const letter = { name: "N", subject: await answers.subject(), html: "<p>", options, list: null };
      if (!isChecked(letter)) return { unchecked: letter };
      const refusal = check({ mailable: 1, dayUsed: 0, monthUsed: 0 }, letter);
      if (refusal !== null) return refusal;
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
    campaigns: { find: async () => ({ campaign, options: {}, mailing: null, paused: null }) },
    workspaces: { settings: answers.settings },
    log: { debug: ignored, info: ignored, warn: ignored, error: ignored },
    plans,
    clock,
  };
  const planning = planningService({ ...parts, ...answers } as never);
  const sender = { wake: async () => undefined, isActive: () => false, blockedBy: () => null };
  const sending = campaignSending({ ...parts, planning, sender, warningsOf: async () => [] } as never);
  const send = () => sending.send("ws_1", "cmp_1", async () => OPTIONS);
  return { planning, send, clock, done };
}

const waits: readonly [string, Partial<Answers>][] = [
  ["its letter cannot be checked just now", { checkLetter: inTurn<null>(late, late, null) }],
  ["the database does not answer about the settings", { settings: inTurn<unknown>(away, SETTINGS) }],
];

test.each<[string, Partial<Answers>]>([
  ...waits,
  ["what stands in its way cannot be found out just now", { refusalOf: inTurn<null>(late, late, null) }],
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

test("a plan that was promised begins again where the answer to its beginning was lost", async () => {
  const lost = Promise.withResolvers<typeof PLAN>();
  let begun = 0;
  const { planning, clock, done } = madeUp({
    begin: async () => (++begun === 1 ? await lost.promise : PLAN),
  });
  const planned = planning.plan("ws_1", "cmp_1", OPTIONS);
  expect(planning.promise("cmp_1")).toBe(true);
  lost.reject(away);
  await eventually(() => (clock.advance(1_000), done.length > 0));
  expect([await planned, begun, done]).toEqual([1, 2, ["complete S"]]);
});

const full = new StorageError("full", new Error("no room"));
test.each<[string, Partial<Answers>, Error | null]>([
  ["its beginning cannot be written just now", { begin: inTurn<typeof PLAN>(full, PLAN) }, null],
  ["its letter could not be checked", {}, late],
  ["the database did not answer", {}, away],
])(
  "a send that was promised while its guardrails were asked goes on where %s",
  async (_, answers, guardrails) => {
    const first = Promise.withResolvers<null>();
    let asked = 0;
    const refusalOf = async () => (asked++ === 0 ? await first.promise : null);
    const { send, clock, done } = madeUp({ ...answers, refusalOf });
    const answer = send();
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await eventually(() => (clock.advance(1_000), isAnswered));
    expect(await answer).toEqual({ sent: 0, failed: 0, remaining: 0, complete: false });
    if (guardrails === null) first.resolve(null);
    else first.reject(guardrails);
    await eventually(() => (clock.advance(1_000), done.length > 0));
    expect(done).toEqual(["complete S"]);
  },
);

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
