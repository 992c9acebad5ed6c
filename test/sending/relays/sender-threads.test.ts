import { afterEach, describe, expect, test } from "bun:test";
import { breakingThread } from "../../support/sending/breaking-thread.ts";
import { killSeed } from "../../support/common/dice.ts";
import { killRun } from "../../support/chaos/kill-run.ts";
import {
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { Behaviour, Moment } from "../../support/sending/smtp-script.ts";
import { needsSqlite } from "../../support/server/services.ts";

const lacksSqlite = needsSqlite("on PostgreSQL it is a node that is killed: chaos.test.ts");

const seed = killSeed();
/** Only a run that hangs is ended: a busy machine may take many times as long as an idle one. */
const LONG_MS = 600_000;
const CONNECTIONS = 10;

let api: SendingApi;
const readers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `reader-${index}@example.com`);

/** Sends a campaign through two threads that break as its addresses say, and waits for its end. */
async function sendTo(addresses: readonly string[]): Promise<string> {
  // Its thread ends before this answer could come.
  const DOT = ({ rcptTo }: Moment): Behaviour | undefined =>
    rcptTo[0]?.startsWith("exit-after-dot@") ? { and: "stall", kept: true } : undefined;
  api = await startSending({ DOT }, { senderThreads: 2, startSenderThread: () => breakingThread() });
  const { listId } = await makeAudience(api, addresses);
  const id = await makeCampaign(api, listId);
  await send(api, id);
  await eventually(async () => (await statusOf(api, id)) === "SENT");
  return id;
}

const timesTaken = (): number[] => {
  const taken = new Map<string, number>();
  for (const { rcptTo } of api.relay.accepted) taken.set(rcptTo[0]!, (taken.get(rcptTo[0]!) ?? 0) + 1);
  return [...new Set(taken.values())];
};

describe("a campaign through sender threads", () => {
  afterEach(() => api.stop());

  test("reaches everybody once", async () => {
    const id = await sendTo(readers(300));
    expect(await reportOf(api, id)).toMatchObject({ sent: 300, uncertain: 0, remaining: 0 });
    expect(api.relay.accepted).toHaveLength(300);
    expect(timesTaken()).toEqual([1]);
  });

  test.each(["exit-before-dot", "exit-after-dot"])(
    "of which one ends at a dot (%s): what stood at its dot is uncertain, the others get it, and the relay is trusted",
    async (how) => {
      const id = await sendTo([...readers(40), `${how}@example.com`, ...readers(80).slice(40)]);
      const uncertain = rowsOf(api, id).filter(({ state }) => state === "uncertain");
      const sent = rowsOf(api, id).filter(({ state }) => state === "sent");
      expect(uncertain.map(({ address }) => address)).toContain(`${how}@example.com`);
      expect([...new Set(uncertain.map(({ reason }) => reason))]).toEqual(["SERVER_STOPPED"]);
      expect(uncertain.length).toBeLessThanOrEqual(CONNECTIONS);
      expect(sent.length + uncertain.length).toBe(81);
      expect(timesTaken()).toEqual([1]);
      expect(api.sending.relayTroubles()).toEqual([]);
      expect(api.logLines.join()).toContain("a sender thread ended");
    },
  );

  test("of which each one ends at the same message: it goes out from the main thread, and nobody is lost", async () => {
    const id = await sendTo([...readers(20), "exit@example.com"]);
    const states = rowsOf(api, id).map(({ state }) => state);
    expect(states.every((state) => state === "sent" || state === "uncertain")).toBe(true);
    expect(rowsOf(api, id).find(({ address }) => address === "exit@example.com")?.state).toBe("sent");
    expect(timesTaken()).toEqual([1]);
    expect(api.logLines.join()).toContain("mail goes out from the main thread");
  });
});

describe.skipIf(lacksSqlite)(
  `a server with sender threads that is killed (SIGKILL) at random moments, KILL_SEED=${seed}`,
  () => {
    test(
      "mails nobody twice and loses nobody; what stood at its dot is uncertain, and no more",
      async () => {
        const [recipients, kills] = [1_000, 15];
        const figures = await killRun({ recipients, kills, connections: CONNECTIONS, seed, threads: 2 });
        console.log(`kills with sender threads: ${JSON.stringify(figures)}`);
        expect(figures).toMatchObject({ duplicates: 0, lost: 0, ledgerFaults: [] });
        expect(figures.sent + figures.uncertain).toBe(recipients);
        expect(figures.uncertainInOneKill).toBeLessThanOrEqual(CONNECTIONS);
      },
      LONG_MS,
    );

    test(
      "the same while its threads end at random moments too",
      async () => {
        const [recipients, kills] = [1_000, 10];
        const run = { recipients, kills, connections: CONNECTIONS, seed, threads: 2, crashes: 0.004 };
        const figures = await killRun(run);
        console.log(`kills of the server and of its threads: ${JSON.stringify(figures)}`);
        expect(figures).toMatchObject({ duplicates: 0, lost: 0, ledgerFaults: [] });
        expect(figures.sent + figures.uncertain).toBe(recipients);
        // After three ended threads a server goes on without, and each end costs at most the connections.
        expect(figures.uncertainInOneKill).toBeLessThanOrEqual(4 * CONNECTIONS);
      },
      LONG_MS,
    );
  },
);
