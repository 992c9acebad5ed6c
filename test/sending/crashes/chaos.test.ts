/** Several nodes on PostgreSQL, of which things break: nobody is mailed twice, and nobody is lost. */
import { describe, expect, test } from "bun:test";
import { brokenPromises, type ChaosOptions } from "../../support/chaos/chaos-figures.ts";
import { chaosRun } from "../../support/chaos/chaos-run.ts";
import { killSeed } from "../../support/common/dice.ts";
import { lacksPostgres } from "../../support/storage/postgres.ts";

/** A small size of `scripts/chaos.ts`, whose mutants show that it would notice. */
const RUN: Omit<ChaosOptions, "faults" | "seed"> = {
  nodes: 3,
  recipients: 3_000,
  connections: 20,
  leaseMs: 5_000,
  putsOffEvery: 0,
  optOuts: 30,
};

describe.skipIf(await lacksPostgres())("a campaign of three nodes", () => {
  const seed = killSeed();
  test.each([
    [
      "are killed, stopped and cut off, and PostgreSQL crashes",
      { kill: 2, stop: 1, crash: 1, partition: 1, takeover: 0 },
    ],
    ["find another PostgreSQL, which took over", { kill: 1, stop: 0, crash: 0, partition: 0, takeover: 1 }],
  ])(
    `that %s (KILL_SEED=${seed})`,
    async (_, faults) => {
      const options = { ...RUN, faults, seed };
      const figures = await chaosRun(options);
      expect({ broken: brokenPromises(options, figures), figures }).toMatchObject({ broken: [] });
      expect(figures.accepted).toBeGreaterThan(RUN.recipients / 2);
    },
    300_000,
  );
});
