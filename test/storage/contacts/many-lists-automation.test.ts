/** A step of an automation takes somebody off very many lists: in slices of one transaction, before the run goes on. */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { chain, enrollmentsOf, live, settled } from "../../support/automations/automations.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { consentLog, derivedTablesAgree, person, suppressions } from "../../support/people/people.ts";
import { drivenUntil, startSending, type SendingApi } from "../../support/sending/sending.ts";

const MANY = 2_600;
const ADA = "ada@example.com";

let clock: ManualClock;
let api: SendingApi;
let automation: string;
let contactId: string;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
  automation = await live(
    api,
    chain(
      { trigger: "tag_added", tag: "bye" },
      ["a", "action", { action: "add_tag", tag: "before" }],
      ["b", "action", { action: "unsubscribe" }],
      ["c", "action", { action: "add_tag", tag: "after" }],
    ),
  );
  contactId = (await person(api, ADA)).id;
  const { sqlite } = api.services.database;
  sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     INSERT INTO lists (id, workspace, name, search, created_at) SELECT 'list_' || i, 1, i, i, 1 FROM n`,
  );
  sqlite.run(
    "INSERT INTO list_members (list, status, contact, added_at) SELECT l.seq, c.status, c.seq, 1 FROM lists AS l, contacts AS c",
  );
});
afterEach(() => api.stop({ graceMs: 0 }));

const lists = (): number =>
  api.services.database.sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM list_members").get()!.n;

const begin = () => api.call("PATCH", `/contacts/${contactId}`, { tags: ["bye"] });

/** Everything that the run has done. */
async function outcome(): Promise<unknown> {
  const { status, tags } = (await api.call("GET", `/contacts/${contactId}`)).body.data;
  return {
    contact: [status, tags],
    lists: lists(),
    departures: api.services.database.sqlite.query("SELECT count(*) FROM list_departures").values(),
    suppressions: await suppressions(api),
    log: await consentLog(api),
    runs: (await enrollmentsOf(api, automation)).map((run) => [run.status, run.errorMessage]),
    areCountsRight: derivedTablesAgree(api),
  };
}

const DONE = {
  contact: ["UNSUBSCRIBED", ["bye", "before", "after"]],
  lists: 0,
  departures: [[MANY]],
  suppressions: { [ADA]: "UNSUBSCRIBED" },
  log: [`WITHDRAWN ${ADA} admin`],
  runs: [["COMPLETED", null]],
  areCountsRight: true,
};

/** What happens to long writes. */
type Long = typeof api.services.database.longWrites;
function onLongWrites(change: (real: Long["write"]) => Long["write"]) {
  const { longWrites } = api.services.database;
  const real = longWrites.write.bind(longWrites);
  return spyOn(longWrites, "write").mockImplementation(change(real));
}

test("no turn of the event loop leaves all of them", async () => {
  const left: number[] = [];
  const spy = onLongWrites((real) => (slices) => {
    const count = "SELECT count(*) AS n FROM list_members";
    return real(function* (sqlite) {
      const steps = slices(sqlite);
      for (;;) {
        const before = sqlite.query<{ n: number }, []>(count).get()!.n;
        const step = steps.next();
        left.push(before - sqlite.query<{ n: number }, []>(count).get()!.n);
        if (step.done === true) return step.value;
        yield;
      }
    });
  });
  await begin();
  await settled(api, clock);
  spy.mockRestore();
  expect(left.reduce((sum, n) => sum + n, 0)).toBe(MANY);
  expect(Math.max(...left)).toBeLessThanOrEqual(500);
  expect(await outcome()).toEqual(DONE);
});

test("and a server that is stopped in the middle ends the same after the next start", async () => {
  let isCut = false;
  const spy = onLongWrites(
    (real) => (slices) =>
      real(function* (sqlite) {
        const steps = slices(sqlite);
        for (let n = 0; n < 4; n++) {
          steps.next();
          yield;
        }
        isCut = true;
        throw Object.assign(new Error("cut off"), { code: "SQLITE_IOERR" });
      }),
  );
  await begin();
  await drivenUntil(clock, () => isCut);
  expect(lists()).toBe(MANY);
  expect((await api.call("GET", `/contacts/${contactId}`)).body.data.status).toBe("SUBSCRIBED");
  spy.mockRestore();
  api = await api.restart();
  await settled(api, clock);
  expect(await outcome()).toEqual(DONE);
});

test("a server that is stopped between the opt-out and the run's next step does neither twice", async () => {
  const { longWrites } = api.services.database;
  const real = longWrites.write.bind(longWrites);
  let isOut = false;
  const spy = spyOn(longWrites, "write").mockImplementation(async (slices) => {
    await real(slices);
    isOut = true;
    throw Object.assign(new Error("cut off"), { code: "SQLITE_IOERR" });
  });
  await begin();
  await drivenUntil(clock, () => isOut);
  spy.mockRestore();
  api = await api.restart();
  await settled(api, clock);
  expect(await outcome()).toEqual(DONE);
});
