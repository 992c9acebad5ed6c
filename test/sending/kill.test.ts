import { describe, expect, test } from "bun:test";
import { killSeed } from "../support/dice.ts";
import { killRun, type KillFigures } from "../support/kill-run.ts";

const seed = killSeed();
const CONNECTIONS = 10;

const show = (name: string, figures: KillFigures) =>
  console.log(`${name}, KILL_SEED=${seed}: ${JSON.stringify(figures)}`);

describe("a server that is killed (SIGKILL) at random moments", () => {
  test("mails nobody twice and loses nobody; what stood at its dot is uncertain, and no more", async () => {
    const [recipients, kills] = [2_000, 50];
    const figures = await killRun({ recipients, kills, connections: CONNECTIONS, seed });
    show("kill test", figures);
    expect(figures.duplicates).toBe(0);
    expect(figures.lost).toBe(0);
    expect(figures.ledgerFaults).toEqual([]);
    expect(figures.sent + figures.uncertain).toBe(recipients);
    expect(figures.uncertainInOneKill).toBeLessThanOrEqual(CONNECTIONS);
    expect(figures.killsByPhase["sending"]).toBeGreaterThan(25);
  }, 120_000);

  test("and the harness notices when it does mail twice: the record written after the reply", async () => {
    const figures = await killRun({
      recipients: 1_500,
      kills: 25,
      connections: CONNECTIONS,
      seed,
      recordLate: true,
    });
    show("negative control", figures);
    expect(figures.duplicates).toBeGreaterThan(0);
  });
});
