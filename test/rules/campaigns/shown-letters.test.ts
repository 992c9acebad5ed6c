/** Letters that somebody looks at take the memory of those that are kept, however many were looked at. */
import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { systemRandom } from "#core/random.ts";
import { previewLetters } from "#previews/service.ts";
import { shownLetterStore } from "#storage/sqlite/previews/shown-letter-store.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const MIB = 1024 * 1024;
const LOOKED_AT = 60;

/** Bytes that somebody still holds. */
function heldBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

test("a letter that another has pushed out is held by nobody", async () => {
  const clock = manualClock();
  const letters = previewLetters({ letters: shownLetterStore(), clock, random: systemRandom });
  const before = heldBytes();
  for (let n = 0; n < LOOKED_AT; n++) await letters.keep("ws_1", `${n}${"x".repeat(MIB - 2)}`);
  // Two of them are kept.
  expect(heldBytes() - before).toBeLessThan((LOOKED_AT / 4) * MIB);
  const { token } = await letters.keep("ws_1", "x");
  expect(await letters.find(token)).not.toBeNull();
});
