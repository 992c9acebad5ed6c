/** What is refused for memory for now (src/work/pool.ts) is done later, or says in the end why it was not. */
import { afterEach, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import type { Work } from "#work/pool.ts";
import type { JobName } from "#work/jobs.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { BOUNCE_DOMAIN, dsn, overSmtp, sendTo } from "../../support/inbound/reports.ts";
import {
  deliveriesOf,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
afterEach(() => api.stop());

const FULL = {
  ok: false,
  refusal: { code: "VALIDATION_ERROR", message: "Too much memory.", isPassing: true },
} as const;

/** From now on there is no memory for these jobs, so many times. Gives how often they were asked for. */
function shortOf(jobs: readonly JobName[], times: number): () => number {
  const work = api.services.work as { run: Work["run"] };
  const run = work.run.bind(work);
  let asked = 0;
  work.run = async (workspaceId, name, input) =>
    jobs.includes(name) && asked++ < times ? FULL : await run(workspaceId, name, input);
  return () => asked;
}

test("a personal letter for which memory is short waits, and says why; so it does when it has failed", async () => {
  const clock = manualClock();
  api = await startSending({}, { clock });
  const { listId } = await makeAudience(api, ["ada@example.com"]);
  const body = `<p>Dear {{ contact.firstName }}</p>${"<p>Some words</p>".repeat(200)}`;
  const deliveryOf = async (id: string) => (await deliveriesOf(api, id))["ada@example.com"];
  const sendPersonal = async (): Promise<string> => {
    const id = await makeCampaign(api, listId, { body });
    await api.call("PATCH", `/campaigns/${id}/options`, { personalize: true });
    await driven(clock, send(api, id));
    return id;
  };
  shortOf(["marketing"], Number.POSITIVE_INFINITY);
  const fails = await sendPersonal();
  await drivenUntil(clock, async () => (await deliveryOf(fails))?.reason === "COMPOSING_FAILED");
  expect(await deliveryOf(fails)).toMatchObject({ state: "QUEUED", detail: "Too much memory." });
  await drivenUntil(clock, async () => (await deliveryOf(fails))?.state === "FAILED", 600_000);
  expect(await deliveryOf(fails)).toMatchObject({ reason: "COMPOSING_FAILED", detail: "Too much memory." });
});

test("a schedule whose first check is refused for memory waits with that reason, and goes out at the next one", async () => {
  const clock = manualClock();
  api = await startSending({}, { clock });
  const { listId } = await makeAudience(api, ["ada@example.com"]);
  const body = `<p>Dear {{ contact.firstName }}</p>${"<p>Some words</p>".repeat(200)}`;
  const id = await makeCampaign(api, listId, { body });
  await api.call("PATCH", `/campaigns/${id}/options`, { personalize: true });
  const scheduledAt = new Date(clock.now() + 3_600_000).toISOString();
  const scheduled = await driven(clock, api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt }));
  expect(scheduled.status).toBe(200);
  const asked = shortOf(["letterFaults"], 1);
  await drivenUntil(clock, async () => (await reportOf(api, id)).blocked !== null, 10_000);
  expect([asked(), (await reportOf(api, id)).blocked]).toEqual([
    1,
    expect.stringContaining("Too much memory."),
  ]);
  await drivenUntil(clock, async () => (await reportOf(api, id)).sent === 1, 1_000);
  expect(clock.now() - Date.parse(scheduledAt)).toBeLessThan(10 * MINUTE_MS);
});

/** The relay of a workspace that has one message out, and nothing can be read of what comes back about it. */
async function reported(times: number) {
  const clock = manualClock();
  api = await startSending({}, { clock });
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  const { sent, campaignId } = await driven(clock, sendTo(api, ["ada@example.com"]));
  const { sender } = present(sent.get("ada@example.com"), "message");
  const asked = shortOf(["report"], times);
  const take = () => driven(clock, overSmtp(api, dsn(), sender).catch(String), 1);
  const bounced = async () => (await reportOf(api, campaignId)).bounced;
  return { clock, asked, take, bounced };
}

test("a report for which memory is short is not taken, and counts where it comes again after a while", async () => {
  const { clock, asked, take, bounced } = await reported(1);
  expect(await take()).toContain("Too much memory.");
  expect(await take()).toContain("Too much memory.");
  expect([asked(), await bounced()]).toEqual([1, 0]);
  clock.advance(MINUTE_MS);
  expect(await take()).toBe("applied");
  expect([asked(), await bounced()]).toEqual([2, 1]);
});

test("one that is refused for memory at the third try too is kept for a person", async () => {
  const { clock, take, bounced } = await reported(Number.POSITIVE_INFINITY);
  for (const says of ["Too much memory.", "Too much memory.", "kept"]) {
    expect(await take()).toContain(says);
    clock.advance(MINUTE_MS);
  }
  expect([await bounced(), await api.services.unreadMails.list(null)]).toMatchObject([0, [{ way: "smtp" }]]);
});
