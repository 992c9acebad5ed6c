import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Plan } from "#campaigns/send/plan.ts";
import { sqliteSendingStores } from "#app/sqlite-stores.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { ledgerFaults } from "../../support/storage/ledger-check.ts";
import { listOf, person } from "../../support/people/people.ts";

const NAMES = ["linus", "ada", "grace", "zoe", "barbara", "ken", "margaret", "donald", "edsger"] as const;
const addressOf = (name: string): string => `${name}@example.com`;

let api: TestApi;
let list = "";
let ids: Record<string, string> = {};
let campaignId = "";

beforeEach(async () => {
  api = await startApi();
  ids = {};
  for (const name of NAMES) ids[name] = (await person(api, addressOf(name))).id;
  list = await listOf(api, "Newsletter", Object.values(ids));
  const draft = { name: "Spring", subject: "Spring", body: "<p>Spring</p>", listId: list };
  campaignId = (await api.call("POST", "/campaigns", draft)).body.data.id;
});
afterEach(() => api.stop());

const storeOf = () => sqliteSendingStores(api.services).plans;
const begin = async (excludeEmails: string[] = []): Promise<Plan> =>
  (await storeOf().begin(
    api.workspaceId,
    campaignId,
    { excludeEmails, scheduledAt: null, overrideQuietHours: false },
    0,
  ))!;

/** Walks on to the end of the list, so many contacts at a time. */
async function walk(plan: Plan, rowsMax: number, plans = storeOf()): Promise<void> {
  while ((await plans.planNext(plan, rowsMax)) !== "end");
}

type Row = { address: string; state: string; reason: string | null };
const rows = (): Row[] =>
  api.services.database.sqlite
    .query<Row, []>("SELECT address, state, reason FROM deliveries ORDER BY seq")
    .all();
const addresses = (): string[] => rows().map(({ address }) => address);
const everybody = NAMES.map(addressOf).toSorted();
/** What a server that dies loses. */
const loseMemory = () => api.services.database.sqlite.exec("DELETE FROM temp.plan_stretch");
const faults = () => ledgerFaults(api.services.database.sqlite).filter((fault) => !/campaign/.test(fault));

describe("a plan", () => {
  for (const rowsMax of [1, 2, 4, 9, 100]) {
    test(`in slices of ${rowsMax} has everybody of the list once, in the order of the addresses, and counts them`, async () => {
      const plan = await begin([addressOf("ken")]);
      await walk(plan, rowsMax);
      expect(addresses()).toEqual(everybody);
      const skipped = rows().filter(({ state }) => state !== "queued");
      expect(skipped).toEqual([{ address: addressOf("ken"), state: "skipped", reason: "EXCLUDED" }]);
      expect(faults()).toEqual([]);
    });
  }

  test("that a killed server left in the middle of a stretch is gone on with: nobody is missing, nobody twice", async () => {
    const plan = await begin();
    const killed = storeOf();
    expect(await killed.planNext(plan, 100)).toBe("write");
    expect(await killed.planNext(plan, 4)).toBe("write");
    expect(addresses()).toEqual(everybody.slice(0, 4));
    expect(faults()).toEqual([]);
    loseMemory();
    await walk(plan, 2);
    expect(addresses().toSorted()).toEqual(everybody);
    expect(faults()).toEqual([]);
  });

  test("that was left and is taken back leaves nothing, also of the stretch", async () => {
    const plan = await begin();
    const plans = storeOf();
    await plans.planNext(plan, 100);
    await plans.planNext(plan, 4);
    for (let isGone = false; !isGone;) isGone = await plans.abandon(plan, 3);
    expect(rows()).toEqual([]);
    const { sqlite } = api.services.database;
    expect(
      sqlite.query("SELECT mailing FROM temp.plan_stretch UNION ALL SELECT seq FROM mailings").all(),
    ).toEqual([]);
  });

  test("has no row for who left the list or opted out after the stretch was gathered", async () => {
    const plan = await begin();
    const plans = storeOf();
    await plans.planNext(plan, 100);
    await api.call("DELETE", `/lists/${list}/contacts/${ids["ada"]}`);
    await api.call("PATCH", `/contacts/${ids["grace"]}`, { status: "UNSUBSCRIBED" });
    await api.call("DELETE", `/contacts/${ids["zoe"]}`);
    while ((await plans.planNext(plan, 2)) === "write");
    await walk(plan, 2, plans);
    const gone = ["ada", "grace", "zoe"].map(addressOf);
    expect(addresses()).toEqual(everybody.filter((address) => !gone.includes(address)));
    expect(faults()).toEqual([]);
  });

  test("of two campaigns at once keeps their stretches apart", async () => {
    const first = await begin();
    const draft = { name: "Summer", subject: "Summer", body: "<p>Summer</p>", listId: list };
    campaignId = (await api.call("POST", "/campaigns", draft)).body.data.id;
    const second = await begin();
    const plans = storeOf();
    for (const plan of [first, second]) await plans.planNext(plan, 100);
    for (let i = 0; i < 3; i++) for (const plan of [first, second]) await plans.planNext(plan, 3);
    for (const plan of [first, second]) expect(await plans.planNext(plan, 100)).toBe("end");
    expect(addresses().toSorted()).toEqual([...everybody, ...everybody].toSorted());
    expect(faults()).toEqual([]);
  });
});
