/** When a letter that cannot be made is tried again, and what is said of it (src/deliveries/letters/patient-letters.ts). */
import { beforeEach, expect, test } from "bun:test";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Letter } from "#deliveries/letter.ts";
import { NotYet, patientLetters } from "#deliveries/letters/patient-letters.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { RefusedForNow, WorkLate } from "#work/pool.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";

const SPRING: MailingUnderWay = { number: 7, workspaceId: "ws_1", kind: "campaign", sourceId: "cmp_7" };
const LETTER = {} as Letter;
const FAULT = new Error("a fault of ours");

let clock: ManualClock;
let tries: number;
/** Null: the letter can be made. */
let fault: Error | null;
let letters: ReturnType<typeof patientLetters>;
beforeEach(() => {
  clock = manualClock();
  tries = 0;
  fault = FAULT;
  letters = patientLetters(async () => {
    tries++;
    if (fault !== null) throw fault;
    return LETTER;
  }, clock);
});

const look = (): Promise<unknown> => letters.made(SPRING).catch((error: unknown) => error);

/** Looks every half a second, and returns after how many seconds each try came. */
async function triedAfter(seconds: number): Promise<number[]> {
  const at: number[] = [];
  for (let half = 0; half <= 2 * seconds; half++) {
    const before = tries;
    await look();
    if (tries > before) at.push(half / 2);
    clock.advance(500);
  }
  return at;
}

test("it is tried after a second, then after double the pause each time, and once a minute in the end", async () => {
  expect(await triedAfter(250)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
});

test("a look in its pause tries nothing, and says that it is too early", async () => {
  expect(await look()).toBe(FAULT);
  expect(await look()).toBeInstanceOf(NotYet);
  expect(tries).toBe(1);
});

test("others are not held up by it", async () => {
  await look();
  await letters.made({ ...SPRING, number: 8 }).catch(() => undefined);
  expect(tries).toBe(2);
});

test("once it is made, nothing is said of it any more, and its next fault begins with a second", async () => {
  await triedAfter(20);
  fault = null;
  clock.advance(60_000);
  expect(await look()).toBe(LETTER);
  expect(letters.unmade(SPRING.number)).toBeNull();
  fault = FAULT;
  expect(await triedAfter(3)).toEqual([0, 1, 3]);
});

test("a database that gives no answer is no fault of a letter: it is tried at each look", async () => {
  fault = new StorageError("unreachable", null);
  expect([await look(), await look()]).toEqual([fault, fault]);
  expect(letters.unmade(SPRING.number)).toBeNull();
});

test.each([
  ["a fault", FAULT, "a fault of ours", false],
  ["too little time", new WorkLate("The letter took too long."), "The letter took too long.", true],
  ["a refusal that passes", new RefusedForNow("The thread ended."), "The thread ended.", true],
])("after %s, its reason is named, with whether it passes", async (_what, error, reason, passes) => {
  fault = error;
  await look();
  const unmade = letters.unmade(SPRING.number);
  expect(unmade?.passes).toBe(passes);
  // Half of a campaign may be out, and nobody need do anything.
  expect(unmade?.why).toMatch(new RegExp(`^The letter cannot be made now\\. .* The reason: ${reason}$`));
});
