import { describe, expect, test } from "bun:test";
import { killSeed } from "../../support/common/dice.ts";
import { killRun, LIMIT_PER_HOUR } from "../../support/chaos/kill-run.ts";
import { pauseRun } from "../../support/chaos/pause-run.ts";
import { needsSqlite } from "../../support/server/services.ts";

const seed = killSeed();
const CONNECTIONS = 10;
/** Only a run that hangs is ended: a busy machine may take many times as long as an idle one. */
const LONG_MS = 600_000;

const hasNodes = needsSqlite("on PostgreSQL it is a node that is killed: chaos.test.ts");

const show = (name: string, figures: object) => console.log(`${name}: ${JSON.stringify(figures)}`);

describe.skipIf(hasNodes)(`a server that is killed (SIGKILL) at random moments, KILL_SEED=${seed}`, () => {
  test(
    "mails nobody twice and loses nobody; what stood at its dot is uncertain, and no more",
    async () => {
      const [recipients, kills] = [2_000, 50];
      const figures = await killRun({ recipients, kills, connections: CONNECTIONS, seed });
      show("kill test", figures);
      expect(figures.duplicates).toBe(0);
      expect(figures.lost).toBe(0);
      expect(figures.ledgerFaults).toEqual([]);
      expect(figures.sent + figures.uncertain).toBe(recipients);
      expect(figures.uncertainInOneKill).toBeLessThanOrEqual(CONNECTIONS);
      expect(figures.killsByPhase["sending"]).toBeGreaterThan(25);
    },
    LONG_MS,
  );

  test(
    "in the middle of planning a segment: the same people get it, and nobody twice",
    async () => {
      const [recipients, kills] = [4_000, 12];
      const options = { recipients, kills, planningKills: kills, connections: CONNECTIONS, seed };
      const figures = await killRun({ ...options, bySegment: true });
      show("kills while a segment is planned", figures);
      expect(figures).toMatchObject({ duplicates: 0, lost: 0, ledgerFaults: [], skipped: recipients / 10 });
      expect(figures.sent + figures.uncertain).toBe((recipients * 9) / 10);
      expect(figures.killsByPhase["planning"]).toBeGreaterThan(0);
    },
    LONG_MS,
  );

  test(
    "with limits of domains, and a domain that says that mail comes too fast: no limit is exceeded by a kill",
    async () => {
      const [recipients, kills] = [1_000, 12];
      const figures = await killRun({ recipients, kills, connections: CONNECTIONS, seed, byDomain: true });
      show("kills with limits of domains", figures);
      expect(figures).toMatchObject({ duplicates: 0, lost: 0, ledgerFaults: [] });
      expect(figures.sent + figures.uncertain).toBe(recipients);
      expect(figures.uncertainInOneKill).toBeLessThanOrEqual(CONNECTIONS);
      expect(figures.limits?.counted).toBeLessThanOrEqual(LIMIT_PER_HOUR);
      expect(figures.limits?.sent).toBeWithin(1, (figures.limits?.counted ?? 0) + 1);
    },
    LONG_MS,
  );

  // Before a stop, enough must be left to be skipped, and for kills in the middle of that.
  test.each([
    ["resume", 1_500, 10],
    ["stop", 20_000, 3],
  ] as const)(
    "also where it is paused and resumed again and again, and killed then; in the end: %s",
    async (endsBy, recipients, rounds) => {
      const messages = 1_000 / rounds;
      const figures = await pauseRun({
        recipients,
        rounds,
        messages,
        connections: CONNECTIONS,
        seed,
        endsBy,
      });
      show(`pauses, then ${endsBy}`, figures);
      expect(figures).toMatchObject({ duplicates: 0, lost: 0, ledgerFaults: [], sentWhilePaused: 0 });
      expect(figures.sent + figures.uncertain + figures.stopped).toBe(recipients);
      if (endsBy === "resume") expect(figures.stopped).toBe(0);
      else expect(figures.stopped).toBeGreaterThan(0);
    },
    LONG_MS,
  );

  test(
    "and the harness notices when it does mail twice: the record written after the reply",
    async () => {
      const figures = await killRun({
        recipients: 900,
        kills: 15,
        connections: CONNECTIONS,
        seed,
        recordLate: true,
      });
      show("negative control", figures);
      expect(figures.duplicates).toBeGreaterThan(0);
    },
    LONG_MS,
  );
});
