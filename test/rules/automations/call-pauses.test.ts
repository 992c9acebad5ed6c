import { describe, expect, test } from "bun:test";
import { callPauses } from "#automations/run/call-pauses.ts";
import { NOW } from "../../support/automations/flows.ts";
import { MINUTE, SECOND } from "../../support/common/durations.ts";

const WAITING = 20_000;
const OF = "ws_1";

/** How many look at each instant in the minute after the first look, if the target hangs as long as that. */
function looksOf(pauses: ReturnType<typeof callPauses>, waiting: number): ReadonlyMap<number, number> {
  const looks = new Map<number, number>();
  for (let run = 0; run < waiting; run++) {
    const at = pauses.againAt(OF, NOW);
    looks.set(at, (looks.get(at) ?? 0) + 1);
  }
  return looks;
}

describe("runs that wait until a webhook may be called", () => {
  test("look again after a second, in their order", () => {
    const pauses = callPauses();
    expect([pauses.againAt(OF, NOW), pauses.againAt(OF, NOW)]).toEqual([NOW + SECOND, NOW + SECOND + 2]);
    expect(pauses.againAt("ws_2", NOW)).toBe(NOW + SECOND);
    expect(pauses.againAt(OF, NOW + MINUTE)).toBe(NOW + MINUTE + SECOND);
  });

  test("do not all look every second where they are very many, but each does within a minute", () => {
    const times = [...looksOf(callPauses(), 10 * WAITING).keys()];
    expect(times.filter((at) => at <= NOW + 2 * SECOND)).toHaveLength(501);
    expect(Math.max(...times)).toBe(NOW + MINUTE);
  });

  test("look together once a second while calls are slow", () => {
    const pauses = callPauses();
    pauses.ended(OF, 10 * SECOND);
    const looks = looksOf(pauses, WAITING);
    expect([...looks.keys()].filter((at) => at % SECOND !== 0)).toEqual([]);
    expect(Math.max(...looks.values())).toBeLessThanOrEqual(501);
    pauses.ended(OF, SECOND);
    expect(pauses.againAt(OF, NOW + MINUTE + 1)).toBe(NOW + MINUTE + 1 + SECOND);
  });

  test("look within a minute also after the clock was set back", () => {
    const pauses = callPauses();
    pauses.againAt(OF, NOW + 100 * MINUTE);
    expect(pauses.againAt(OF, NOW)).toBe(NOW + MINUTE);
  });
});
