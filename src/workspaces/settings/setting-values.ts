import type { Result } from "#core/errors/errors.ts";
import { ORIGINS_MAX, parseOrigins } from "#core/addresses/origin.ts";
import { codePoints, hasControlCharacter } from "#core/text/text.ts";
import { zoneName } from "#core/time/zone-name.ts";
import {
  domainLimitsJson,
  formatDomainLimits,
  MEMBERS,
  parseDomainLimits,
  readDomainLimits,
  type DomainLimits,
  type DomainLimitsJson,
} from "#workspaces/domain-limits.ts";
import { formatWarmUp, parseWarmUp, type WarmUp } from "#workspaces/warm-up.ts";
import type { QuietHours } from "#workspaces/quiet-hours.ts";

/**
 * How the value of one kind of setting is written: as text (on the command line and in storage) and as JSON
 * (in the API). `read` returns `undefined` if it cannot accept what it is given. `accepts` ends the sentence
 * "KEY must be …". `read(write(value))` gives the value again, in both forms.
 */
export type ValueKind<T> = {
  readonly accepts: string;
  /** @param text trimmed and well-formed (`typed`) */
  read(text: string): T | undefined;
  /** Where and why `read` refuses a text, if `accepts` alone would not tell. */
  why?(text: string): string;
  write(value: T): string;
  readonly json: JsonForm<T>;
};

export type Json = boolean | number | string | readonly string[] | DomainLimitsJson | null;

export type JsonForm<T> = {
  /** `object`: by name, objects of whole numbers. */
  readonly type: "string" | "boolean" | "integer" | "array" | "object";
  /** Whether `null` is a value ("off"). Elsewhere it means "not sent". */
  readonly isNullable: boolean;
  /** Of a text; for the document. */
  readonly charactersMax?: number;
  /** The numbers of each object of an object; for the document. */
  readonly members?: readonly string[];
  readonly accepts: string;
  read(value: unknown): T | undefined;
  /** The same for a JSON value. */
  why?(value: unknown): string;
  write(value: T): Json;
};

/** A text as a person typed it, in the form in which a kind reads it. */
export const typed = (text: string): string => text.toWellFormed().trim();

/**
 * The longest texts that a request may send for a setting, white space around them apart, and for all of a
 * list together. No setting accepts longer ones. They are measured first, because patterns and names of hosts
 * take long to read.
 */
const TEXT_MAX = 4_096;
const LIST_MAX = 16_384;

/** A kind that is text in both forms. */
export const textKind = <T extends string = string>(
  accepts: string,
  read: (text: string) => T | undefined,
  length: Pick<JsonForm<T>, "charactersMax"> = {},
): ValueKind<T> => ({
  accepts,
  read,
  write: (value) => value,
  json: {
    type: "string",
    isNullable: false,
    ...length,
    accepts,
    read: (value) => (typeof value === "string" ? readUpTo(TEXT_MAX, typed(value), read) : undefined),
    write: (value) => value,
  },
});

/** Empty, or what `parse` returns for the text. */
export const optional = (accepts: string, parse: (text: string) => string | undefined): ValueKind<string> =>
  textKind(`${accepts}, or empty`, (text) => (text === "" ? "" : parse(text)));

/** A kind that is one text of several parts, and a list of them in JSON. */
export const listKind = (
  accepts: Readonly<Record<"text" | "json", string>>,
  read: (text: string) => readonly string[] | undefined,
): ValueKind<readonly string[]> => ({
  accepts: accepts.text,
  read,
  write: (value) => value.join(" "),
  json: {
    type: "array",
    isNullable: false,
    accepts: accepts.json,
    read: (value) =>
      Array.isArray(value) && value.every((one) => typeof one === "string")
        ? readUpTo(LIST_MAX, typed(value.join(" ")), read)
        : undefined,
    write: (value) => value,
  },
});

const readUpTo = <T>(
  charactersMax: number,
  text: string,
  read: (text: string) => T | undefined,
): T | undefined => (text.length > charactersMax ? undefined : read(text));

export const onOff: ValueKind<boolean> = {
  accepts: "on or off",
  read: (text) => (text === "on" ? true : text === "off" ? false : undefined),
  write: (value) => (value ? "on" : "off"),
  json: {
    type: "boolean",
    isNullable: false,
    accepts: "true or false",
    read: (value) => (typeof value === "boolean" ? value : undefined),
    write: (value) => value,
  },
};

/** A kind with the value "off", which is `null` in JSON. */
function orOff<T>(
  kind: Omit<ValueKind<T>, "json">,
  json: Omit<JsonForm<T>, "isNullable">,
): ValueKind<T | null> {
  return {
    ...kind,
    accepts: `${kind.accepts}, or off`,
    read: (text) => (text === "off" ? null : kind.read(text)),
    write: (value) => (value === null ? "off" : kind.write(value)),
    json: {
      ...json,
      isNullable: true,
      accepts: `${json.accepts}, or null`,
      read: (value) => (value === null ? null : json.read(value)),
      write: (value) => (value === null ? null : json.write(value)),
    },
  };
}

const wholeNumber = "a whole number from 0";
const countOf = (value: number): number | undefined =>
  Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const countOrOff = orOff<number>(
  {
    accepts: wholeNumber,
    read: (text) => (/^[0-9]{1,16}$/.test(text) ? countOf(Number(text)) : undefined),
    write: String,
  },
  {
    type: "integer",
    accepts: wholeNumber,
    read: (value) => (typeof value === "number" ? countOf(value) : undefined),
    write: (value) => value,
  },
);

const WINDOW = /^([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])$/;

function windowOf(text: string): QuietHours | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = WINDOW.exec(text) ?? [];
  if (toMinute === undefined) return undefined;
  const window = {
    fromMinute: Number(fromHour) * 60 + Number(fromMinute),
    toMinute: Number(toHour) * 60 + Number(toMinute),
  };
  return window.fromMinute === window.toMinute ? undefined : window;
}

const shownWindow = ({ fromMinute, toMinute }: QuietHours): string =>
  `${timeOfDay(fromMinute)}-${timeOfDay(toMinute)}`;

const WINDOW_ACCEPTS = "HH:MM-HH:MM from 00:00 to 23:59 with two different times, such as 22:00-07:00";

export const quietHoursOrOff = orOff<QuietHours>(
  { accepts: WINDOW_ACCEPTS, read: windowOf, write: shownWindow },
  {
    type: "string",
    accepts: WINDOW_ACCEPTS,
    read: (value) => (typeof value === "string" ? windowOf(typed(value)) : undefined),
    write: shownWindow,
  },
);

const WARM_UP_ACCEPTS =
  "messages on the first day, daily growth, days and first day, such as `200 30% 21 2026-12-01`";

export const warmUpOrOff = orOff<WarmUp>(
  { accepts: WARM_UP_ACCEPTS, read: parseWarmUp, write: formatWarmUp },
  {
    type: "string",
    accepts: WARM_UP_ACCEPTS,
    read: (value) => (typeof value === "string" ? parseWarmUp(typed(value)) : undefined),
    write: formatWarmUp,
  },
);

const LIMITS_ACCEPT =
  "limits of domains, such as `gmail.com,googlemail.com 2000/hour 5 connections; gmx.de 500/hour`";

const valueOf = <T>(result: Result<T>): T | undefined => (result.ok ? result.value : undefined);
const whyOf = (result: Result<unknown>): string => (result.ok ? "" : result.refusal.message);

export const domainLimitsOrOff = orOff<DomainLimits>(
  {
    accepts: LIMITS_ACCEPT,
    read: (text) => valueOf(parseDomainLimits(text)),
    why: (text) => whyOf(parseDomainLimits(text)),
    write: formatDomainLimits,
  },
  {
    type: "object",
    members: MEMBERS,
    accepts: 'an object by domains, such as `{"gmail.com,googlemail.com":{"perHour":2000,"connections":5}}`',
    read: (value) => valueOf(readDomainLimits(value)),
    why: (value) => whyOf(readDomainLimits(value)),
    write: domainLimitsJson,
  },
);

function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/**
 * A name of the IANA time zone database in any case, stored in the database's own spelling. An offset such as
 * `+02:00` is refused: it has no daylight saving.
 */
export const timeZone = textKind("the name of an IANA time zone, such as UTC or Europe/Berlin", (text) =>
  /^[A-Za-z]/.test(text) ? zoneName(text) : undefined,
);

const isLine = (text: string, charactersMax: number): boolean =>
  !hasControlCharacter(text) && codePoints(text) <= charactersMax;

/** One line without control characters; it may be empty. */
export const line = (charactersMax: number): ValueKind<string> =>
  textKind(
    `one line of at most ${charactersMax} characters, without control characters`,
    (text) => (isLine(text, charactersMax) ? text : undefined),
    { charactersMax },
  );

export const filledLine = (charactersMax: number): ValueKind<string> =>
  textKind(
    `one line of 1 to ${charactersMax} characters, without control characters`,
    (text) => (text !== "" && isLine(text, charactersMax) ? text : undefined),
    { charactersMax },
  );

/** Several lines that end with LF; a CRLF becomes LF. */
export const lines = (charactersMax: number): ValueKind<string> =>
  textKind(
    `at most ${charactersMax} characters; it may have several lines, but no other control characters`,
    (text) => {
      const unix = text.replaceAll("\r\n", "\n");
      return hasControlCharacter(unix.replaceAll("\n", "")) || codePoints(unix) > charactersMax
        ? undefined
        : unix;
    },
    { charactersMax },
  );

/** Web origins as browsers send them. */
export const origins = listKind(
  {
    text: `origins such as https://example.com, at most ${ORIGINS_MAX} and separated by spaces, or empty for any`,
    json: `a list of at most ${ORIGINS_MAX} origins such as https://example.com, empty for any`,
  },
  parseOrigins,
);
