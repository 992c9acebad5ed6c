import { expect, test } from "bun:test";
import { onTroubleOver, onTroubleSeen, type LastNews } from "#mail/smtp/relay/relay-news.ts";
import { areTooMany, countBad, countGood, emptyTally } from "#mail/smtp/relay/tally.ts";
import { MINUTE } from "../../support/common/durations.ts";

const START = 1_700_000_000_000;

test("one line for each change of a relay's state, one more after five minutes, and one when it is over", () => {
  let last: LastNews = null;
  const lines: [minute: number, line: string][] = [];
  const tell = (minute: number, news: { last: LastNews; line: string | null }) => {
    last = news.last;
    if (news.line !== null) lines.push([minute, news.line]);
  };
  for (let minute = 0; minute < 60; minute++)
    for (let n = 0; n < 10; n++) tell(minute, onTroubleSeen(last, "down", START + minute * MINUTE));
  tell(60, onTroubleSeen(last, "config", START + 60 * MINUTE));
  for (let n = 0; n < 10; n++) tell(61, onTroubleOver(last));
  expect(lines).toEqual([
    [0, "relay down"],
    [5, "relay still down after 5 minutes"],
    [60, "relay refusing our settings"],
    [61, "relay up again"],
  ]);
});

test("a share is too big by what it is among the last, not by how many come in a row", () => {
  const measure = { most: 5, among: 200 };
  const after = (every: number, outcomes: number): boolean => {
    let tally = emptyTally;
    let isTooMany = false;
    for (let n = 1; n <= outcomes; n++) {
      tally = n % every === 0 ? countBad(tally, measure) : countGood(tally);
      if (n % every === 0) isTooMany ||= areTooMany(tally, measure);
    }
    return isTooMany;
  };
  expect([after(1, 5), after(2, 10), after(4, 20), after(40, 200)]).toEqual([true, true, true, true]);
  expect([after(1, 4), after(2, 9), after(60, 100_000)]).toEqual([false, false, false]);
});
