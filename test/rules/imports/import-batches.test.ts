import { describe, expect, test } from "bun:test";
import { batches, BESIDE_A_SERVER } from "#imports/batches.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

/** Adds `count` rows of which each takes `rowMs` to write and `readMs` to read. */
async function importing(count: number, rowMs: number, readMs = 0) {
  const clock = manualClock();
  const startMs = clock.monotonicMs();
  const written: { rows: number; beganMs: number; endedMs: number }[] = [];
  const batch = batches<number>(clock, BESIDE_A_SERVER, async (rows) => {
    const beganMs = clock.monotonicMs() - startMs;
    clock.advance(rows.length * rowMs);
    written.push({ rows: rows.length, beganMs, endedMs: clock.monotonicMs() - startMs });
  });
  const until = async (done: Promise<void> | null): Promise<void> => {
    const state = { isDone: done === null };
    void done?.then(() => (state.isDone = true));
    while (!state.isDone) {
      await Promise.resolve();
      if (!state.isDone && clock.pending > 0) clock.advance(1);
    }
  };
  for (let n = 0; n < count; n++) {
    clock.advance(readMs);
    await until(batch.add(n, 1));
  }
  await until(batch.end());
  return written;
}

describe("an import beside a server", () => {
  for (const rowMs of [0.01, 0.05, 1]) {
    test(`writes every row once, about 30 ms at a time, where a row takes ${rowMs} ms`, async () => {
      const written = await importing(3_000, rowMs);
      expect(written.reduce((sum, { rows }) => sum + rows, 0)).toBe(3_000);
      const settled = written.slice(10);
      for (const { beganMs, endedMs } of settled) expect(endedMs - beganMs).toBeLessThanOrEqual(31);
    });
  }

  test("leaves at least 6 ms between two transactions, reading included", async () => {
    const quick = await importing(3_000, 0.1);
    const slow = await importing(3_000, 0.1, 0.2);
    for (const written of [quick, slow]) {
      written.slice(1).forEach(({ beganMs }, i) => {
        expect(beganMs - written[i]!.endedMs).toBeGreaterThanOrEqual(5.99);
      });
    }
    // What is read takes longer than the pause: there is none on top of it.
    const [last] = slow.slice(-2);
    expect(last!.beganMs - slow.at(-3)!.endedMs).toBeCloseTo(last!.rows * 0.2, 5);
  });
});
