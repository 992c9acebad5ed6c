import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  beginSend,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  send,
  startSending,
  statusOf,
  steer,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { answered, otherWorkspace, runUntil, warningsOf } from "../../support/sending/sending-state.ts";
import { isPostgres, writeTo } from "../../support/server/services.ts";
import { DAY } from "../../support/common/durations.ts";

let clock: ManualClock;
let api: SendingApi;
/** The dots of good addresses wait for it, and the recipients that are late. */
let gate = Promise.withResolvers<void>();
beforeEach(async () => {
  clock = manualClock();
  gate = Promise.withResolvers<void>();
  api = await startSending(
    {
      RCPT: ({ rcptTo }) => {
        if (rcptTo.at(-1)?.startsWith("gone") === true) return "550 5.1.1 No such user";
        const isLate = rcptTo.at(-1)?.startsWith("late") === true;
        return isLate ? { reply: "250 2.1.5 Fine", and: "go on", after: gate.promise } : undefined;
      },
      DOT: () => ({ reply: "250 2.0.0 Queued", and: "go on", after: gate.promise }) as const,
    },
    { clock, connections: 3 },
  );
});
afterEach(() => api.stop({ graceMs: 0 }));

const who = (name: string, n: number): string[] =>
  Array.from({ length: n }, (_, i) => `${name}-${i}@example.com`);
const bounces = () => numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'bounced'");
/** As if so many more had been sent. PostgreSQL's count is the sum of its rows. */
const countSent = (more: number): Promise<void> =>
  writeTo(
    api,
    isPostgres
      ? `INSERT INTO activity_counts (workspace, at, sent) SELECT workspace, at, ${more} FROM activity_counts LIMIT 1`
      : `UPDATE activity_counts SET sent = sent + ${more}`,
  );
const isOver = (id: string) => () => rowOf(api, id).status === "SENT";
const nextLook = async (): Promise<void> => {
  const at = clock.now();
  await runUntil(clock, () => clock.now() > at + 2_100);
};

/** A campaign whose dead addresses have bounced, while the first of the others stand at their dot. */
async function bounced(dead: number, good: number): Promise<string> {
  const { listId } = await makeAudience(api, [...who("gone", dead), ...who("reader", good)]);
  const id = await makeCampaign(api, listId);
  beginSend(api, id);
  await eventually(() => bounces() === dead);
  await api.relay.reached("DOT", 2);
  return id;
}

/** People who have a campaign already. The dots wait again after it. */
async function mailed(name: string, n: number): Promise<void> {
  gate.resolve();
  const id = await makeCampaign(api, (await makeAudience(api, who(name, n))).listId);
  await driven(clock, send(api, id));
  expect(rowOf(api, id).status).toBe("SENT");
  gate = Promise.withResolvers<void>();
}

/** Somebody enters their complaints, as a provider's own page shows them. */
async function complained(emails: readonly string[]): Promise<void> {
  for (const email of emails)
    expect((await api.call("POST", "/suppressions", { email, reason: "COMPLAINT" })).status).toBe(201);
}

describe("a campaign pauses itself", () => {
  test("where more than 5% bounced, says so, and goes on when somebody resumes it", async () => {
    const id = await bounced(10, 30);
    await nextLook();
    const { blocked, bounced: n } = await reportOf(api, id);
    expect(blocked).toBe(
      "It paused itself. Of the 10 messages of the last 7 days, 10 bounced: 100%, more than 5%. " +
        "Look at whom it goes to and at what it says, then resume or stop it.",
    );
    expect(n).toBe(10);
    expect(warningsOf(api).filter(({ message }) => message === "a campaign paused itself").length).toBe(1);
    gate.resolve();
    await eventually(() => numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'dot'") === 0);
    expect([api.relay.accepted.length, await statusOf(api, id)]).toEqual([2, "DRAFT"]);
    await driven(clock, steer(api, id, "resume"));
    await nextLook();
    await drivenUntil(clock, isOver(id));
    expect(api.relay.accepted.length).toBe(30);
  });

  test("before the first dot of it: its call is answered at once, with everybody remaining", async () => {
    const dead = await makeCampaign(api, (await makeAudience(api, who("gone", 10))).listId);
    expect((await driven(clock, send(api, dead))).body.data).toMatchObject({ failed: 10, complete: true });
    const id = await makeCampaign(api, (await makeAudience(api, who("late", 2))).listId);
    const calledAt = clock.now();
    const call = send(api, id);
    await api.relay.reached("RCPT", 12);
    await nextLook();
    gate.resolve();
    const answer = await answered(clock, call);
    expect(answer.body.data).toEqual({ sent: 0, failed: 0, remaining: 2, complete: false });
    expect(clock.now() - calledAt).toBeLessThan(45_000);
    expect((await reportOf(api, id)).blocked).toStartWith("It paused itself. Of the 10 messages");
  });

  test("where more than 0.3% complained, whoever enters it", async () => {
    await mailed("angry", 3);
    const id = await bounced(0, 20);
    await complained(who("angry", 3));
    await countSent(500);
    await nextLook();
    expect((await reportOf(api, id)).blocked).toContain("3 were complained about: 0.6%, more than 0.3%.");
    await countSent(-500);
    gate.resolve();
  });
});

describe("a campaign does not pause itself", () => {
  test("for complaints about another sender's mail, which somebody carried over", async () => {
    await mailed("one", 1);
    const id = await bounced(0, 20);
    await complained(who("elsewhere", 30));
    // On a list, and not mailed yet: they complained about somebody else's mail too.
    await makeAudience(api, who("later", 3));
    await complained(who("later", 3));
    await complained(who("one", 1));
    await nextLook();
    expect((await reportOf(api, id)).blocked).toBeNull();
    const reputation = (await api.call("GET", "/deliverability")).body.data.find(
      (check: { id: string }) => check.id === "reputation",
    );
    expect(reputation).toMatchObject({ level: "ok", text: expect.stringContaining("complaints: 1") });
    expect((await api.call("GET", "/stats")).body.data.totals.complained).toBe(34);
    gate.resolve();
  });

  test.each([
    ["where so few bounced that it proves nothing", 9, {}],
    ["with the setting `autoPause` off", 20, { autoPause: false }],
  ])("%s", async (_name, dead, settings) => {
    await api.services.workspaces.changeSettings(api.workspaceId, settings);
    const id = await bounced(dead, 20);
    await nextLook();
    expect((await reportOf(api, id)).blocked).toBeNull();
    gate.resolve();
    await drivenUntil(clock, isOver(id));
    expect(api.relay.accepted.length).toBe(20);
  });

  test("for what another workspace sends, or for bounces of more than 7 days ago", async () => {
    const id = await bounced(20, 5);
    await nextLook();
    gate.resolve();
    const other = await otherWorkspace(api);
    const { listId } = await makeAudience(other, who("other", 3));
    const theirs = await makeCampaign(other, listId);
    await driven(clock, send(other, theirs));
    expect(rowOf(api, theirs)).toMatchObject({ status: "SENT", paused: null });
    await driven(clock, steer(api, id, "stop"));
    clock.advance(8 * DAY);
    const later = await makeCampaign(api, (await makeAudience(api, who("later", 3))).listId);
    await driven(clock, send(api, later));
    expect(rowOf(api, later)).toMatchObject({ status: "SENT", paused: null });
  });
});
