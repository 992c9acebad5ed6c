import { expect, test } from "bun:test";
import { chain } from "../../support/automations/automations.ts";
import { dice, killSeed } from "../../support/common/dice.ts";
import { dataOf } from "../../support/server/data-of.ts";
import { startPostrider, temporaryDirectory, type RunningServer } from "../../support/server/postrider.ts";

const IDS = 200;
const AT_ONCE = 100;
const KILLS = 10;
const seed = killSeed();
const chance = dice(seed);

/**
 * Sends every id until each was answered, even if the server is killed meanwhile. Continues as long as
 * `goesOn`. Returns the number of 201s.
 */
async function sendAll(urlOf: () => string, key: string, goesOn: () => boolean): Promise<number> {
  const waiting = Array.from({ length: IDS }, (_, i) => i).flatMap((id) => [id, id, id]);
  let recorded = 0;
  let again = 0;
  const next = (): number | undefined => waiting.shift() ?? (goesOn() ? again++ % IDS : undefined);
  const sendSome = async (): Promise<void> => {
    for (let id = next(); id !== undefined; id = next()) {
      const body = JSON.stringify({ name: "paid", email: `r${id}@example.com`, externalId: `x${id}` });
      const init = { method: "POST", headers: { authorization: `Bearer ${key}` }, body };
      const answer = await fetch(`${urlOf()}/api/v1/events`, init).catch(() => null);
      if (answer === null) {
        waiting.push(id);
        await Bun.sleep(5);
      } else if (answer.status === 201) recorded++;
      await Bun.sleep(30);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return recorded;
}

test(`events sent again and again to a server that is killed: one event for each id, one run for each event, KILL_SEED=${seed}`, async () => {
  const { path: dataDir, remove } = temporaryDirectory();
  let server: RunningServer = await startPostrider(dataDir);
  const key = /API key\s+(pr_\S{43})/.exec(server.out())![1]!;
  const call = async (method: string, path: string, body: object): Promise<any> => {
    const init = { method, headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) };
    return (await fetch(`${server.url}/api/v1${path}`, init)).json();
  };
  const flowJson = chain({ trigger: "custom_event", eventName: "paid" }, [
    "w",
    "wait",
    { amount: 1, unit: "days" },
  ]);
  const { id } = (await call("POST", "/automations", {})).data;
  await call("PATCH", `/automations/${id}`, { flowJson, status: "LIVE" });
  let kills = 0;
  const sending = sendAll(
    () => server.url,
    key,
    () => kills < KILLS,
  );
  for (; kills < KILLS; kills++) {
    await Bun.sleep(chance.fraction() * 150);
    await server.end("SIGKILL");
    server = await startPostrider(dataDir);
  }
  const recorded = await sending;
  const { count, close } = await dataOf(dataDir);
  while (count("automation_starts") > 0) await Bun.sleep(20);
  await server.end("SIGKILL");
  console.log(`events under kills: ${JSON.stringify({ kills, recorded, events: count("events") })}`);
  expect([
    count("events"),
    count("(SELECT DISTINCT external_id FROM events) AS ids"),
    count("contacts"),
  ]).toEqual([IDS, IDS, IDS]);
  expect([count("enrollments"), count("(SELECT DISTINCT contact FROM enrollments) AS people")]).toEqual([
    IDS,
    IDS,
  ]);
  expect(recorded).toBeLessThanOrEqual(IDS);
  await close();
  remove();
});
