/** Relays that stop answering: what is done, and what a person is told. */
import { afterEach, describe, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { stall } from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  drivenUntil,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { warningsOf } from "../../support/sending/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const stateCount = (id: string, wanted: string): number =>
  rowsOf(api, id).filter(({ state }) => state === wanted).length;
const warnings = () => warningsOf(api).map(({ message, detail }) => [message, detail]);
/** Small enough to stay as it is over PostgreSQL (`drivenUntil`). */
const STEP_MS = 450;
const SILENT = ["relay silent", expect.stringMatching(/^it has not answered for \d+ seconds$/)];

async function startCampaign(count: number) {
  const { listId, addresses } = await makeAudience(api, count);
  const id = await makeCampaign(api, listId);
  void send(api, id).catch(() => undefined);
  return { id, addresses };
}

describe("a relay that says nothing", () => {
  test.each(["CONNECT", "MAIL", "DOT"] as const)(
    "at %s hands a campaign over to the next one after a minute",
    async (stage) => {
      const clock = manualClock();
      const mute = scriptedSmtp({ on: { EHLO: "250 mute.example", [stage]: stall } });
      api = await startSending({}, { clock });
      await api.services.workspaces.changeSettings(api.workspaceId, {
        smtpUrl: `${mute.url}?maxConnections=4 ${api.relay.url}`,
      });
      const { id, addresses } = await startCampaign(20);
      // One of the four connections is reserved for more urgent mail.
      await drivenUntil(clock, () => stateCount(id, "sent") === 17);
      // None of their time limits is over, or it would be said too.
      expect(warnings()).toEqual([SILENT]);
      const got = addressesMailed(api);
      expect([got.length, new Set(got).size]).toEqual([17, 17]);
      expect(addresses).toEqual(expect.arrayContaining(got));
      // Then the time limits of the three are over, and that says enough.
      const ends = { CONNECT: 0, MAIL: 3, DOT: 3 };
      const lost = () => rowsOf(api, id).filter(({ reason }) => reason === "CONNECTION_LOST").length;
      await drivenUntil(clock, () => mute.open === 0, 1_000);
      await drivenUntil(clock, () => lost() === ends[stage]);
      expect(stateCount(id, "uncertain")).toBe(stage === "DOT" ? 3 : 0);
      expect(warnings().map(([message]) => message)).toEqual([
        "relay silent",
        stage === "DOT" ? "relay losing messages" : "relay down",
      ]);
      mute.stop();
    },
  );

  test("and is the only one: the report and the log say so, until it answers again", async () => {
    const clock = manualClock();
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    api = await startSending({ DOT: { reply: "250 2.0.0 Ok", and: "go on", after: answered } }, { clock });
    const { id } = await startCampaign(20);
    const blocked = async () => (await reportOf(api, id)).blocked as string | null;
    await drivenUntil(clock, async () => (await blocked()) !== null, 500);
    expect(await blocked()).toMatch(/: silent: it has not answered for \d+ seconds$/);
    await drivenUntil(clock, () => warnings().length > 0, 500);
    expect(warnings()).toEqual([SILENT]);
    answer();
    await drivenUntil(clock, () => stateCount(id, "sent") === 20);
    expect(await blocked()).toBeNull();
    expect(api.logLines.filter((line) => line.includes("relay up again"))).toHaveLength(1);
  });

  test("but answers each message after a minute is called silent twice, and then no more", async () => {
    const clock = manualClock();
    const late = (): Promise<void> => new Promise((resolve) => void clock.setTimer(70_000, resolve));
    const slow = scriptedSmtp({
      on: { DOT: () => ({ reply: "250 2.0.0 Ok", and: "go on", after: late() }) },
    });
    api = await startSending({}, { clock });
    await api.services.workspaces.changeSettings(api.workspaceId, {
      smtpUrl: `${slow.url}?maxConnections=1`,
    });
    const { id } = await startCampaign(3);
    await drivenUntil(clock, () => stateCount(id, "sent") === 2, STEP_MS);
    expect(warnings()).toEqual([SILENT, SILENT]);
    const blocked = new Set<unknown>();
    const isSent = async () => {
      blocked.add((await reportOf(api, id)).blocked);
      return stateCount(id, "sent") === 3;
    };
    await drivenUntil(clock, isSent, STEP_MS);
    expect([...blocked]).toEqual([null]);
    expect(warnings()).toHaveLength(2);
    expect(api.logLines.filter((line) => line.includes("relay up again"))).toHaveLength(2);
    slow.stop();
  });
});
