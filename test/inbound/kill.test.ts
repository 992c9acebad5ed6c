import { expect, test } from "bun:test";
import { killSeed } from "../support/common/dice.ts";
import { inboundKillRun } from "../support/chaos/inbound-kill-run.ts";

const seed = killSeed();
const kills = Number(process.env["INBOUND_KILLS"] ?? 8);
/** Only a run that hangs is ended: a busy machine may take many times as long as an idle one. */
const LONG_MS = 600_000;

test(
  `reports by all three ways take effect once each, and none is lost, with ${kills} kills at random, KILL_SEED=${seed}`,
  async () => {
    // Two new reports by each way between one kill and the next.
    const people = 6 * kills;
    const figures = await inboundKillRun({ people, kills, seed });
    console.log(`kills while reports come in: ${JSON.stringify(figures)}`);
    expect(figures).toEqual({
      reports: people,
      kills,
      acknowledged: { smtp: people / 3, hook: people / 3, mailbox: people / 3 },
      bounced: people,
      counted: people,
      reportRows: people,
      leftInMailbox: 0,
    });
  },
  LONG_MS,
);
