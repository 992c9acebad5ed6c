import { describe, expect, test } from "bun:test";
import { barText, progressBar } from "#commands/line/progress.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

describe("a progress bar", () => {
  test.each([
    [0, 0, "[                        ]   0%, 0 rows"],
    [0.21, 500, "[=====                   ]  21%, 0 rows"],
    [0.25, 2_000, "[======                  ]  25%, 0 rows, 6 s left"],
    [0.5, 180_000, "[============            ]  50%, 0 rows, 3 min left"],
    [0.01, 600_000, "[                        ]   1%, 0 rows, 16 h 30 min left"],
    [0.999, 10_000, "[======================= ]  99%, 0 rows, 1 s left"],
    [1, 10_000, "[========================] 100%, 0 rows"],
    [1.2, 10_000, "[========================] 100%, 0 rows"],
  ])("at %p after %p ms", (share, tookMs, text) => expect(barText(share, tookMs, "0 rows")).toBe(text));

  const drawn = (onTerminal: boolean): string[] => {
    const clock = manualClock();
    const texts: string[] = [];
    const progress = (text: string): void => void texts.push(text);
    const bar = progressBar(clock, { onTerminal, progress, warn() {}, write: async () => {} });
    for (let i = 0; i <= 10; i++) {
      bar.show(i / 10, `${i} rows`);
      clock.advance(30);
    }
    bar.end();
    return texts;
  };

  test("is drawn at most ten times a second, and wiped at the end", () => {
    const texts = drawn(true);
    expect(texts.map((text) => /\d+ rows/.exec(text)?.[0])).toEqual([
      "0 rows",
      "4 rows",
      "8 rows",
      undefined,
    ]);
    expect(texts.at(-1)).toBe("\r\u001b[K");
  });

  test("is on a terminal only", () => expect(drawn(false)).toEqual([]));
});
