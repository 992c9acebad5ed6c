import { describe, expect, test } from "bun:test";
import { ratesInWords, ratesOf, tooMuch } from "#stats/rates.ts";

const rates = (sent: number, bounced: number, complained: number) =>
  ratesOf({ sent, bounced, complained: complained + 7, complainedElsewhere: 7 });

describe("too much of a workspace's mail", () => {
  test.each([
    // sent, bounced, complained, what it says
    [0, 0, 0, null],
    [2, 1, 0, null],
    [10, 9, 2, null],
    [190, 10, 0, null],
    [189, 10, 0, "10 bounced: 5.1%, more than 5%."],
    [0, 10, 0, "10 bounced: 100%, more than 5%."],
    [100_000, 5_264, 0, "5264 bounced: 5.1%, more than 5%."],
    [1_000, 0, 3, null],
    [999, 0, 3, "3 were complained about: 0.31%, more than 0.3%."],
    [10, 0, 3, "3 were complained about: 30%, more than 0.3%."],
    [100_000, 0, 300, null],
    [100_000, 0, 301, "301 were complained about: 0.31%, more than 0.3%."],
    // Complaints weigh more.
    [100, 50, 5, "5 were complained about: 3.4%, more than 0.3%."],
  ])("%d sent, %d bounced, %d complained: %p", (sent, bounced, complained, says) => {
    const said = tooMuch(rates(sent, bounced, complained));
    if (says === null) expect(said).toBeNull();
    else expect(said).toBe(`Of the ${sent + bounced} messages of the last 7 days, ${says}`);
  });

  test("says so of one message too: complaints can be about older ones", () => {
    expect(tooMuch(rates(1, 0, 3))).toBe(
      "One message went out in the last 7 days, and 3 complaints came in: 300%, more than 0.3%.",
    );
  });

  test("in words, whatever it is", () => {
    expect(ratesInWords(rates(0, 0, 0))).toBe("no message went out in the last 7 days");
    expect(ratesInWords(rates(1, 0, 0))).toBe(
      "one message went out in the last 7 days; bounces: 0, complaints: 0",
    );
    expect(ratesInWords(rates(0, 1, 2))).toBe(
      "one message went out in the last 7 days; bounces: 1, complaints: 2",
    );
    expect(ratesInWords(rates(990, 10, 1))).toBe(
      "of the 1000 messages of the last 7 days, 1% bounced and 0.1% were complained about",
    );
  });
});
