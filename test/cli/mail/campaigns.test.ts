/** `campaign pause|resume|stop` beside a server that sends. */
import { afterEach, describe, expect, test } from "bun:test";
import { isOneLine } from "../../support/common/one-line.ts";
import { postrider } from "../../support/server/postrider.ts";
import { eventually } from "../../support/common/eventually.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import {
  addressesMailed,
  beginSend,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { sendState } from "../../support/sending/sending-state.ts";
import { needsSqlite } from "../../support/server/services.ts";

const ACTIONS = ["pause", "resume", "stop"] as const;

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const run = (...args: string[]) => postrider(api.dataDir, ["campaign", ...args]);

/** One line, nothing on standard output, and this exit code. */
async function refused(code: number, ...args: string[]): Promise<string> {
  const { err, ...ended } = await run(...args);
  expect(ended).toEqual({ code, out: "" });
  expect(err).toStartWith("postrider: ");
  expect(isOneLine(err.slice(0, -1))).toBeTrue();
  return err;
}

/** A campaign whose first messages stand at the relay's dot. */
async function underWay(): Promise<string> {
  api = await startSending({ DOT: stall }, { connections: 3 });
  const { listId } = await makeAudience(api, 12);
  const id = await makeCampaign(api, listId);
  beginSend(api, id);
  await api.relay.reached("DOT", 2);
  return id;
}

const inState = (id: string, state: string): number =>
  rowsOf(api, id).filter((row) => row.state === state).length;

describe("a campaign that is being sent by a server", () => {
  test("pause holds it until resume, and the report says so; the second time changes nothing", async () => {
    const id = await underWay();
    expect(await run("pause", id)).toEqual({ code: 0, out: `${id} is paused\n`, err: "" });
    expect((await reportOf(api, id)).blocked).toBe("It is paused: nothing goes out until it is resumed.");
    const before = sendState(api);
    expect(JSON.parse((await run("pause", id, "--json")).out)).toEqual({ id, paused: true });
    expect(sendState(api)).toEqual(before);
    expect(await run("resume", id)).toEqual({ code: 0, out: `${id} is resumed\n`, err: "" });
    expect((await reportOf(api, id)).blocked).toBeNull();
    expect(JSON.parse((await run("resume", id, "--json")).out)).toEqual({ id, resumed: true });
  });

  test("stop skips what is owed before it answers, and nothing resumes it", async () => {
    const id = await underWay();
    const owed = inState(id, "queued");
    expect(await run("stop", id)).toEqual({ code: 0, out: `${id} is stopped\n`, err: "" });
    expect([inState(id, "queued"), inState(id, "skipped")]).toEqual([0, owed]);
    expect(rowsOf(api, id).filter(({ reason }) => reason === "STOPPED")).toHaveLength(owed);
    expect(JSON.parse((await run("stop", id, "--json")).out)).toEqual({ id, stopped: true });
    expect(await refused(1, "resume", id)).toContain("The send was stopped, and cannot go on.");
    expect(await refused(1, "pause", id)).toContain("The send was stopped, and cannot go on.");
    expect(api.relay.accepted).toEqual([]);
  });
});

test("a pause and a resume beside the server lose nobody: it goes on within its look, each once", async () => {
  api = await startSending();
  const { listId, addresses } = await makeAudience(api, 40);
  const id = await makeCampaign(api, listId);
  const sending = send(api, id);
  await eventually(() => api.relay.accepted.length > 0);
  await run("pause", id);
  await run("resume", id);
  await sending;
  await eventually(() => inState(id, "queued") + inState(id, "dot") === 0);
  expect(addressesMailed(api)).toEqual(addresses.toSorted());
});

describe("where no send is under way", () => {
  test.each(ACTIONS)("campaign %s is one line and exit code 1, and nothing changes", async (action) => {
    api = await startSending();
    const draft = await makeCampaign(api, (await makeAudience(api, 1)).listId);
    const sent = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await send(api, sent);
    expect(await statusOf(api, sent)).toBe("SENT");
    const before = sendState(api);
    expect(await refused(1, action, draft)).toContain("it is DRAFT");
    expect(await refused(1, action, sent)).toContain(`nothing to ${action}`);
    expect(await refused(1, action, "cmp_unknown")).toContain("cmp_unknown");
    expect(sendState(api)).toEqual(before);
  });

  test.each(ACTIONS)("campaign %s without an id, or with two, is exit code 2", async (action) => {
    api = await startSending();
    expect(await refused(2, action)).toContain("ID");
    await refused(2, action, "cmp_1", "cmp_2");
    await refused(2, action, "cmp_1", "--until", "monday");
  });

  test.each(ACTIONS)("campaign %s of another workspace's campaign is as unknown", async (action) => {
    api = await startSending();
    const id = await makeCampaign(api, (await makeAudience(api, 1)).listId);
    const other = await api.services.workspaces.create("Neighbours");
    expect(await refused(1, action, id, "--workspace", other.id)).toContain(id);
    expect(await refused(2, action, id)).toContain("--workspace");
  });

  const isMade = needsSqlite("a database of PostgreSQL is made by somebody else");
  test.skipIf(isMade).each(ACTIONS)("campaign %s where there is no database", async (action) => {
    api = await startSending();
    const ended = await postrider(`${api.dataDir}/nothing`, ["campaign", action, "cmp_1"]);
    expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining("there is no database") });
  });
});
