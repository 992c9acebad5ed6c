/** The run of `chaos.test.ts` with a node that is broken on purpose: were it not noticed, that test would prove nothing. */
import { describe, expect, test } from "bun:test";
import { brokenPromises, type ChaosOptions, type Mutant } from "../../support/chaos/chaos-figures.ts";
import { chaosRun } from "../../support/chaos/chaos-run.ts";
import { killSeed } from "../../support/common/dice.ts";
import { lacksPostgres } from "../../support/storage/postgres.ts";

const MUTANTS: readonly Mutant[] = ["no fence", "no clock"];
/** Nodes are only stopped: that is what these two guard against. */
const RUN: Omit<ChaosOptions, "seed" | "mutant"> = {
  nodes: 3,
  recipients: 3_000,
  connections: 20,
  faults: { kill: 0, stop: 3, crash: 0, partition: 0, takeover: 0 },
  leaseMs: 2_000,
  putsOffEvery: 0,
  optOuts: 0,
};
/** In about one run of four, no node that is stopped has a letter on its way. */
const RUNS_MAX = 8;

describe.skipIf(await lacksPostgres())("chaos notices", () => {
  const seed = killSeed();
  test.each(MUTANTS)(
    `a node with %s (KILL_SEED=${seed})`,
    async (mutant) => {
      let broken: string[] = [];
      for (let run = 0; run < RUNS_MAX && broken.length === 0; run++) {
        const options = { ...RUN, mutant, seed: seed + run };
        broken = brokenPromises(options, await chaosRun(options));
      }
      expect(broken).not.toEqual([]);
    },
    600_000,
  );
});
