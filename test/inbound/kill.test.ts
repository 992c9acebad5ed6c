import { expect, test } from "bun:test";
import { killSeed } from "../support/dice.ts";
import { inboundKillRun } from "../support/inbound-kill-run.ts";

const seed = killSeed();
const kills = Number(process.env["INBOUND_KILLS"] ?? 8);
/** Only a run that hangs is ended: a busy machine may take many times as long as an idle one. */
const LONG_MS = 600_000;

test(
  `reports by all three ways take effect once each, and none is lost, with ${kills} kills at random, KILL_SEED=${seed}`,
  async () => {
    const people = 60;
    const figures = await inboundKillRun({ people, kills, seed });
    console.log(`kills while reports come in: ${JSON.stringify(figures)}`);
    expect(figures).toEqual({
      reports: people,
      kills,
      acknowledged: { smtp: 20, hook: 20, mailbox: 20 },
      bounced: people,
      counted: people,
      reportRows: people,
      leftInMailbox: 0,
    });
  },
  LONG_MS,
);
