import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { release } from "node:os";
import { resolve } from "node:path";

const SHORTEST_NS = 100_000;
const LONG_NS = 3_000_000;

/** The turn of the main thread, in ns; null where the kernel does not show it. */
const turnOf = (sched: string): number | null => {
  const [, slice] = /^se\.slice\s*:\s*(\d+)/m.exec(sched) ?? [];
  return slice === undefined ? null : Number(slice);
};

/** Whether this kernel can give short turns (Linux 6.12), and shows them. */
const givesShortTurns = (): boolean => {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (process.platform !== "linux" || major * 1000 + minor < 6012) return false;
  try {
    return turnOf(readFileSync("/proc/self/sched", "utf8")) !== null;
  } catch {
    return false;
  }
};

/** In a process of its own, because a process keeps its turns; long ones at first, because it inherits those of this one. */
async function turnsAround(act: string): Promise<{ before: number | null; after: number | null }> {
  const script = `
    import { readFileSync } from "node:fs";
    import { openSessions } from "#app/sender-sessions.ts";
    import { systemClock } from "#core/time/clock.ts";
    import { askForShortSlices } from "#system/short-slices.ts";
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const { newSession } = openSessions({ clock: systemClock, log }, {});
    const relay = { host: "127.0.0.1", port: 9 };
    const sched = () => readFileSync("/proc/self/sched", "utf8");
    await askForShortSlices(${LONG_NS}n);
    const before = sched();
    ${act}
    console.log(JSON.stringify({ before, after: sched() }));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: resolve(import.meta.dir, "../.."),
    stderr: "inherit",
  });
  const { before, after } = JSON.parse(await new Response(child.stdout).text());
  return { before: turnOf(before), after: turnOf(after) };
}

describe.skipIf(!givesShortTurns())("turns on the processor", () => {
  test("are the system's until there is mail to send", async () => {
    const { before, after } = await turnsAround("await Bun.sleep(0);");
    expect([before, after]).toEqual([LONG_NS, LONG_NS]);
  });

  test("are the shortest from the first conversation with a relay on", async () => {
    const { before, after } = await turnsAround(`
      newSession(relay);
      while (!/slice +: +${SHORTEST_NS}/.test(sched())) await Bun.sleep(1);`);
    expect([before, after]).toEqual([LONG_NS, SHORTEST_NS]);
  });
});
