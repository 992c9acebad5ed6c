import { ORIGINS_MAX, parseOrigins } from "#core/origin.ts";
import { codePoints, hasControlCharacter } from "#core/text.ts";
import type { QuietHours } from "./quiet-hours.ts";

/**
 * How the value of one kind of setting is written. `read` gets trimmed, well-formed text and returns
 * `undefined` if it cannot accept it. `accepts` ends the sentence "KEY must be …". `read(write(value))` gives
 * the value again.
 */
export type ValueKind<T> = {
  readonly accepts: string;
  read(text: string): T | undefined;
  write(value: T): string;
};

export const asWritten = (value: string): string => value;

export const onOff: ValueKind<boolean> = {
  accepts: "on or off",
  read: (text) => (text === "on" ? true : text === "off" ? false : undefined),
  write: (value) => (value ? "on" : "off"),
};

export const countOrOff: ValueKind<number | null> = {
  accepts: "a whole number from 0, or off",
  read(text) {
    if (text === "off") return null;
    const count = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(count) ? count : undefined;
  },
  write: (value) => (value === null ? "off" : String(value)),
};

const WINDOW = /^([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])$/;

export const quietHoursOrOff: ValueKind<QuietHours | null> = {
  accepts: "HH:MM-HH:MM from 00:00 to 23:59 with two different times, such as 22:00-07:00, or off",
  read(text) {
    if (text === "off") return null;
    const [, fromHour, fromMinute, toHour, toMinute] = WINDOW.exec(text) ?? [];
    if (toMinute === undefined) return undefined;
    const window = {
      fromMinute: Number(fromHour) * 60 + Number(fromMinute),
      toMinute: Number(toHour) * 60 + Number(toMinute),
    };
    return window.fromMinute === window.toMinute ? undefined : window;
  },
  write: (value) => (value === null ? "off" : `${timeOfDay(value.fromMinute)}-${timeOfDay(value.toMinute)}`),
};

function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/**
 * A name of the IANA time zone database in any case, stored in the database's own spelling. An offset such as
 * `+02:00` is refused: it has no daylight saving.
 */
export const timeZone: ValueKind<string> = {
  accepts: "the name of an IANA time zone, such as UTC or Europe/Berlin",
  read: (text) => (/^[A-Za-z]/.test(text) ? zoneName(text) : undefined),
  write: asWritten,
};

function zoneName(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** One line without control characters; it may be empty. */
export const line = (charactersMax: number): ValueKind<string> => ({
  accepts: `one line of at most ${charactersMax} characters, without control characters`,
  read: (text) => (hasControlCharacter(text) || codePoints(text) > charactersMax ? undefined : text),
  write: asWritten,
});

export const filledLine = (charactersMax: number): ValueKind<string> => ({
  ...line(charactersMax),
  accepts: `one line of 1 to ${charactersMax} characters, without control characters`,
  read: (text) => (text === "" ? undefined : line(charactersMax).read(text)),
});

/** Several lines that end with LF; a CRLF becomes LF. */
export const lines = (charactersMax: number): ValueKind<string> => ({
  accepts: `at most ${charactersMax} characters; it may have several lines, but no other control characters`,
  read(text) {
    const unix = text.replaceAll("\r\n", "\n");
    return hasControlCharacter(unix.replaceAll("\n", "")) || codePoints(unix) > charactersMax
      ? undefined
      : unix;
  },
  write: asWritten,
});

/** Web origins as browsers send them. */
export const origins: ValueKind<readonly string[]> = {
  accepts: `origins such as https://example.com, at most ${ORIGINS_MAX} and separated by spaces, or empty for any`,
  read: parseOrigins,
  write: (value) => value.join(" "),
};
