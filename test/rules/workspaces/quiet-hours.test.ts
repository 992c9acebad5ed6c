import { describe, expect, test } from "bun:test";
import { formatSetting, parseSetting, DEFAULT_SETTINGS } from "#workspaces/settings/settings.ts";
import { localTime } from "#workspaces/local-time.ts";
import { isQuiet, type QuietHours, quietUntil } from "#workspaces/quiet-hours.ts";
import { MINUTE_MS, DAY_MS } from "#core/time/time.ts";
import {
  type ClockChange,
  firstNotQuiet,
  quietTable,
  wallMinutes,
} from "../../support/common/wall-clock-oracle.ts";

function hours(written: string): QuietHours {
  const parsed = parseSetting("quietHours", written);
  if (!parsed.ok || !parsed.value.quietHours) throw new Error(`${written} is no window`);
  return parsed.value.quietHours;
}

const moment = (at: number, window: QuietHours): string =>
  `${new Date(at).toISOString()} ${JSON.stringify(window)}`;

/** Clock changes as in the time zone database, written by hand: offset before, then [from when, offset]. */
const ZONES: [zone: string, offsetBefore: number, changes: [at: string, offsetMinutes: number][]][] = [
  [
    "Europe/Berlin",
    60,
    [
      ["2026-03-29T01:00Z", 120],
      ["2026-10-25T01:00Z", 60],
    ],
  ],
  [
    "Europe/Dublin",
    0,
    [
      ["2026-03-29T01:00Z", 60],
      ["2026-10-25T01:00Z", 0],
    ],
  ],
  [
    "Africa/Casablanca",
    60,
    [
      ["2026-02-15T02:00Z", 0],
      ["2026-03-22T02:00Z", 60],
    ],
  ],
  [
    "America/St_Johns",
    -210,
    [
      ["2026-03-08T05:30Z", -150],
      ["2026-11-01T04:30Z", -210],
    ],
  ],
  [
    "Asia/Beirut",
    120,
    [
      ["2026-03-28T22:00Z", 180],
      ["2026-10-24T21:00Z", 120],
    ],
  ],
  ["Asia/Kathmandu", 345, [["2026-01-15T00:00Z", 345]]],
  [
    "Australia/Lord_Howe",
    660,
    [
      ["2026-04-04T15:00Z", 630],
      ["2026-10-03T15:30Z", 660],
    ],
  ],
  [
    "Pacific/Chatham",
    825,
    [
      ["2026-04-04T14:00Z", 765],
      ["2026-09-26T14:00Z", 825],
    ],
  ],
  ["Pacific/Apia", -600, [["2011-12-30T10:00Z", 840]]],
];

const WINDOWS = [
  "22:00-07:00",
  "01:30-02:30",
  "02:15-02:45",
  "02:30-02:15",
  "23:30-00:30",
  "00:00-23:59",
].map(hours);

describe.each(ZONES)("%s around its clock changes", (zone, offsetBefore, dated) => {
  const changes: ClockChange[] = [
    { at: -Infinity, offsetMinutes: offsetBefore },
    ...dated.map(([at, offsetMinutes]) => ({ at: Date.parse(at), offsetMinutes })),
  ];
  const spans = changes.slice(1).map(({ at }) => ({
    changeAt: at,
    minutes: [...wallMinutes(changes, at - 3 * DAY_MS, at + 3 * DAY_MS)],
  }));

  test("the wall clock shows what the oracle shows, every minute of three days before and after", () => {
    for (const { minutes } of spans) {
      for (const { at, day, minuteOfDay } of minutes) {
        const shown = localTime(at + 59_999, zone);
        if (shown.day === day && shown.month === day.slice(0, 7) && shown.minuteOfDay === minuteOfDay)
          continue;
        throw new Error(`${new Date(at).toISOString()}: ${JSON.stringify(shown)}, not ${day} ${minuteOfDay}`);
      }
    }
  });

  test("quiet is what the oracle calls quiet, and it ends when the oracle says", () => {
    for (const { minutes, changeAt } of spans) {
      for (const window of WINDOWS) {
        const table = quietTable(window);
        const ends = firstNotQuiet(minutes, table);
        minutes.forEach(({ at, minuteOfDay }, i) => {
          if (Math.abs(at - changeAt) > DAY_MS / 2) return;
          const quiet = table[minuteOfDay] === true;
          if (isQuiet(at, window, zone) !== quiet) throw new Error(`${moment(at, window)}: not ${quiet}`);
          const asksEnd = i % 23 === 0 || Math.abs(at - changeAt) < 10 * MINUTE_MS;
          if (!asksEnd) return;
          const end = quietUntil(at + i, window, zone);
          if (end !== (quiet ? ends[i] : null))
            throw new Error(`${moment(at, window)}: until ${end}, not ${ends[i]}`);
        });
      }
    }
  });
});

describe("quiet hours", () => {
  const berlin = (at: string, window: QuietHours | null) => {
    const end = quietUntil(Date.parse(at), window, "Europe/Berlin");
    return {
      quiet: isQuiet(Date.parse(at), window, "Europe/Berlin"),
      end: end === null ? null : new Date(end).toISOString(),
    };
  };

  test("start with their first minute and are over with their last", () => {
    const night = hours("22:00-07:00");
    expect(berlin("2026-11-20T20:59:59.999Z", night)).toEqual({ quiet: false, end: null });
    expect(berlin("2026-11-20T21:00:00Z", night)).toEqual({ quiet: true, end: "2026-11-21T06:00:00.000Z" });
    expect(berlin("2026-11-21T05:59:59.999Z", night)).toEqual({
      quiet: true,
      end: "2026-11-21T06:00:00.000Z",
    });
    expect(berlin("2026-11-21T06:00:00Z", night)).toEqual({ quiet: false, end: null });
  });

  test("last an hour less on the night that skips one, an hour more on the night that repeats one", () => {
    const night = hours("22:00-07:00");
    expect(berlin("2026-03-28T21:00:00Z", night).end).toBe("2026-03-29T05:00:00.000Z");
    expect(berlin("2026-10-24T20:00:00Z", night).end).toBe("2026-10-25T06:00:00.000Z");
  });

  test("that end inside the skipped hour end with the jump", () => {
    expect(berlin("2026-03-29T00:45:00Z", hours("01:30-02:30")).end).toBe("2026-03-29T01:00:00.000Z");
  });

  test("inside the repeated hour come twice", () => {
    const window = hours("02:15-02:45");
    expect(berlin("2026-10-25T00:15:00Z", window)).toEqual({ quiet: true, end: "2026-10-25T00:45:00.000Z" });
    expect(berlin("2026-10-25T00:45:00Z", window)).toEqual({ quiet: false, end: null });
    expect(berlin("2026-10-25T01:15:00Z", window)).toEqual({ quiet: true, end: "2026-10-25T01:45:00.000Z" });
  });

  test("whose only loud minutes are skipped last until the next day's", () => {
    expect(berlin("2026-03-28T02:00:00Z", hours("02:45-02:15")).end).toBe("2026-03-30T00:15:00.000Z");
  });

  test("of no length are never quiet", () => {
    expect(berlin("2026-11-21T02:00:00Z", { fromMinute: 180, toMinute: 180 })).toEqual({
      quiet: false,
      end: null,
    });
  });

  test("that are off are never quiet", () => {
    expect(berlin("2026-11-21T02:00:00Z", null)).toEqual({ quiet: false, end: null });
    expect(formatSetting(DEFAULT_SETTINGS, "quietHours")).toBe("off");
  });
});

describe("the wall clock", () => {
  test("knows the days before 1970 and after 2038, and leap days", () => {
    expect(localTime(-1, "UTC")).toEqual({ day: "1969-12-31", month: "1969-12", minuteOfDay: 1439 });
    expect(localTime(Date.parse("2040-02-29T23:30:00Z"), "Asia/Kolkata")).toEqual({
      day: "2040-03-01",
      month: "2040-03",
      minuteOfDay: 300,
    });
  });

  test("refuses a zone that does not exist", () => {
    expect(() => localTime(0, "Mars/Base")).toThrow(RangeError);
  });
});
