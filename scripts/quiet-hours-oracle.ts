/**
 * Compares quiet hours with an independent source, minute by minute.
 *
 *     bun scripts/quiet-hours-oracle.ts [FIRST_YEAR] [YEARS]
 *
 * The source is the system's own time zone files (RFC 9636). It does not use `Intl`, on which our rule is
 * built. `isQuiet` is compared at every minute. `quietUntil` is compared at every full hour, and at every 7th
 * minute of a day with a clock change. Exits with 1 at the first difference.
 */
import { readFileSync } from "node:fs";
import { isQuiet, type QuietHours, quietUntil } from "#workspaces/quiet-hours.ts";
import {
  type ClockChange,
  firstNotQuiet,
  type OracleMinute,
  quietTable,
  wallMinutes,
} from "../test/support/common/wall-clock-oracle.ts";

const ZONES = `
  Africa/Cairo Africa/Casablanca America/Caracas America/Los_Angeles America/New_York America/Nuuk
  America/Santiago America/Sao_Paulo America/St_Johns Antarctica/Troll Asia/Beirut Asia/Gaza
  Asia/Kathmandu Asia/Kolkata Asia/Tehran Asia/Tokyo Australia/Lord_Howe Europe/Berlin
  Europe/Dublin Europe/London Pacific/Apia Pacific/Auckland Pacific/Chatham UTC`
  .trim()
  .split(/\s+/);
const WINDOWS: QuietHours[] = [
  { fromMinute: 1320, toMinute: 420 },
  { fromMinute: 90, toMinute: 150 },
  { fromMinute: 135, toMinute: 165 },
  { fromMinute: 150, toMinute: 135 },
  { fromMinute: 1410, toMinute: 30 },
];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The clock changes of a zone from its compiled file (64-bit block). */
function clockChanges(zone: string): ClockChange[] {
  const file = readFileSync(`/usr/share/zoneinfo/${zone}`);
  const first = header(file, 0);
  const start =
    44 + first.times * 5 + first.types * 6 + first.chars + first.leaps * 8 + first.stds + first.uts;
  const { times, types } = header(file, start);
  const timesAt = start + 44;
  const typesAt = timesAt + times * 9;
  const offset = (type: number): number => file.readInt32BE(typesAt + type * 6) / 60;
  const changes = [{ at: -Infinity, offsetMinutes: offset(0) }];
  for (let i = 0; i < times; i++) {
    const at = Number(file.readBigInt64BE(timesAt + i * 8)) * 1000;
    changes.push({ at, offsetMinutes: offset(file.readUInt8(timesAt + times * 8 + i)) });
  }
  refuseSlim(zone, file.toString("latin1", typesAt + types * 6), changes);
  return changes;
}

function header(file: Buffer, start: number) {
  if (file.toString("latin1", start, start + 4) !== "TZif")
    throw new Error("not a time zone file of version 2 or later");
  const count = (i: number): number => file.readUInt32BE(start + 20 + i * 4);
  return {
    uts: count(0),
    stds: count(1),
    leaps: count(2),
    times: count(3),
    types: count(4),
    chars: count(5),
  };
}

/** A "slim" file leaves the years ahead to a rule in its last line, which this reader does not follow. */
function refuseSlim(zone: string, rest: string, changes: readonly ClockChange[]): void {
  const hasRule = rest.trimEnd().split("\n").at(-1)?.includes(",") === true;
  if (hasRule && changes.at(-1)!.at < lastAt)
    throw new Error(`${zone}: the zone file does not list the years asked for`);
}

function compareZone(zone: string, window: QuietHours): { minutes: number; ends: number } {
  const changes = clockChanges(zone);
  const minutes = [...wallMinutes(changes, firstAt, lastAt + 3 * DAY_MS)];
  const table = quietTable(window);
  const until = firstNotQuiet(minutes, table);
  let ends = 0;
  const count = (lastAt - firstAt) / 60_000;
  for (let i = 0; i < count; i++) {
    const minute = minutes[i]!;
    const quiet = table[minute.minuteOfDay] === true;
    if (isQuiet(minute.at, window, zone) !== quiet) fail(zone, window, minute, `isQuiet is ${!quiet}`);
    if (!asksEnd(minute.at, changes)) continue;
    const end = quietUntil(minute.at, window, zone);
    if (end !== (quiet ? until[i] : null))
      fail(zone, window, minute, `quietUntil is ${end}, not ${until[i]}`);
    ends++;
  }
  return { minutes: count, ends };
}

function asksEnd(at: number, changes: readonly ClockChange[]): boolean {
  return (
    at % HOUR_MS === 0 ||
    (at % (7 * 60_000) === 0 && changes.some((change) => Math.abs(at - change.at) < DAY_MS))
  );
}

function fail(zone: string, window: QuietHours, minute: OracleMinute, what: string): never {
  console.error(`MISMATCH ${zone} ${new Date(minute.at).toISOString()} ${JSON.stringify(window)}: ${what}`);
  process.exit(1);
}

const [firstYear = 2026, years = 2] = process.argv.slice(2).map(Number);
const firstAt = Date.UTC(firstYear, 0, 1);
const lastAt = Date.UTC(firstYear + years, 0, 1);
const startedAt = performance.now();
let minutes = 0;
let ends = 0;
for (const [i, zone] of ZONES.entries()) {
  const seen = compareZone(zone, WINDOWS[i % WINDOWS.length]!);
  minutes += seen.minutes;
  ends += seen.ends;
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `${ZONES.length} zones, ${minutes} minutes, ${ends} ends of quiet hours, 0 mismatches, ${seconds} s`,
);
