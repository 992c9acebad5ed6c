/** What is refused for memory for now (src/work/pool.ts) is done later, or says in the end why it was not. */
import { afterEach, expect, test } from "bun:test";
import type { Work } from "#work/pool.ts";
import type { JobName } from "#work/jobs.ts";
import { manualClock } from "../support/common/manual-clock.ts";
import {
  deliveriesOf,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../support/sending/sending.ts";

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
