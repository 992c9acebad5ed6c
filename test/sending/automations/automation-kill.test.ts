import { expect, test } from "bun:test";
import { automationKillRun } from "../../support/chaos/automation-kill-run.ts";
import { dice, killSeed } from "../../support/common/dice.ts";
import { needsSqlite } from "../../support/server/services.ts";

const CONTACTS = 1_000;
const KILLS = 50;
/** Only a run that hangs is ended: a busy machine may take many times as long as an idle one. */
const LONG_MS = 600_000;
const seed = killSeed();

test(
  `1,000 runs on a server that is killed 50 times: no step twice, none skipped, no mail twice, KILL_SEED=${seed}`,
  async () => {
    const figures = await automationKillRun({
      contacts: CONTACTS,
      kills: KILLS,
      random: dice(seed).fraction,
    });
    console.log(`automations under kills: ${JSON.stringify(figures)}`);
    const { stepsTwice, stepsMissing, notCompleted, mailedTwice, mailsLost, ledgerFaults } = figures;
    expect({ stepsTwice, stepsMissing, notCompleted, mailedTwice, mailsLost, ledgerFaults }).toEqual({
      stepsTwice: 0,
      stepsMissing: 0,
      notCompleted: 0,
      mailedTwice: 0,
      mailsLost: 0,
      ledgerFaults: [],
    });
    // Enough of them met runs under way. How many do depends on how fast the machine starts a server.
    expect(figures.killsUnderWay).toBeGreaterThan(KILLS / 4);
  },
  LONG_MS,
);

test.skipIf(needsSqlite("what notices mail twice on PostgreSQL is shown by scripts/chaos.ts"))(
  `and the harness notices when a mail does go out twice: nothing committed before the dot, KILL_SEED=${seed}`,
  async () => {
    const figures = await automationKillRun({
      contacts: 400,
      kills: 30,
      random: dice(seed).fraction,
      recordLate: true,
    });
    console.log(`negative control: ${JSON.stringify(figures)}`);
    expect(figures.mailedTwice).toBeGreaterThan(0);
  },
  LONG_MS,
);
