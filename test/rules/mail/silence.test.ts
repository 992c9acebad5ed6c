/** When a relay counts as silent, and when people are told so (src/mail/smtp/relay/silence.ts). */
import { beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "#core/time/time.ts";
import { Silence } from "#mail/smtp/relay/silence.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";

const SECOND = 1_000;

let clock: ManualClock;
let silence: Silence;
beforeEach(() => {
  clock = manualClock();
  silence = new Silence(clock);
});

/** A message that the relay answers after so long. */
function answersAfter(seconds: number): void {
  silence.asked();
  clock.advance(seconds * SECOND);
  silence.ended(true);
}

/** After how many seconds people are told that a relay does not answer. It waits for none any more then. */
function toldAfter(): number {
  silence.asked();
  const at = silence.mayBeginAt ?? 0;
  clock.advance(at - clock.now());
  // It begins, and may become unusual only later.
  if (silence.words === null) clock.advance((silence.mayBeginAt ?? 0) - clock.now());
  const told = Number(/\d+/.exec(silence.words ?? "")?.[0]);
  silence.ended(false);
  return told;
}

test("people are told after a minute, and one slow answer changes nothing", () => {
  expect(toldAfter()).toBe(60);
  answersAfter(90);
  expect(toldAfter()).toBe(60);
});

test("of a relay that is slow twice, they are told after double the shorter time", () => {
  answersAfter(200);
  answersAfter(90);
  expect(toldAfter()).toBe(180);
});

test("its last two slow answers count, and quick ones between them do not", () => {
  for (const seconds of [70, 70, 150, 5, 200]) answersAfter(seconds);
  expect(toldAfter()).toBe(300);
});

test("an hour later, nobody knows its way any more", () => {
  answersAfter(90);
  answersAfter(90);
  clock.advance(HOUR_MS - 90 * SECOND);
  expect(toldAfter()).toBe(60);
});

test("a message that was given up is no answer", () => {
  for (let n = 0; n < 2; n++) {
    silence.asked();
    clock.advance(90 * SECOND);
    silence.ended(false);
  }
  expect(toldAfter()).toBe(60);
});
