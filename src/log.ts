/**
 * Structured log lines on standard error, one JSON object a line (`LOG_FORMAT=pretty`: for people).
 *
 * Never logged: API keys, passwords of relays, signing secrets, tokens of links, message bodies. Not logged
 * at `info` or above: e-mail addresses, names and client addresses of people.
 */
import { isoOf } from "#core/time/iso.ts";
import { errorCode } from "#core/errors/error-code.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import { printable, printableJson } from "#core/text/printable.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "json" | "pretty";
export type Fields = Readonly<Record<string, unknown>>;

export type Log = Record<LogLevel, (message: string, fields?: Fields) => void>;

export function createLog(options: {
  level: LogLevel;
  format: LogFormat;
  clock: Clock;
  write: (line: string) => void;
}): Log {
  const { clock, write } = options;
  const render = options.format === "json" ? jsonLine : prettyLine;
  const from = LOG_LEVELS.indexOf(options.level);
  const at =
    (level: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (LOG_LEVELS.indexOf(level) >= from) write(render(level, message, fields, isoOf(clock.now())));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * A log in which an error that was logged already goes to `debug`. This is for errors that many callers get
 * but that have one cause.
 */
export function withoutRepeats(log: Log, isLogged: (error: unknown) => boolean): Log {
  const at =
    (level: LogLevel): Log[LogLevel] =>
    (message, fields = {}) =>
      log[isLogged(fields["error"]) ? "debug" : level](message, fields);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** No field can forge a line or control a terminal. */
function jsonLine(level: LogLevel, message: string, fields: Fields, at: string): string {
  return `${printableJson({ at, level, message, ...plain(fields) })}\n`;
}

function prettyLine(level: LogLevel, message: string, fields: Fields, at: string): string {
  const rest = Object.entries(plain(fields)).map(([key, value]) => ` ${key}=${printableJson(value)}`);
  return `${at.slice(11, 19)} ${level.padEnd(5)} ${printable(message)}${rest.join("")}\n`;
}

function plain(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value instanceof Error ? describe(value) : value]),
  );
}

/**
 * An error of the machine (a full disk, a refused connection) or a refusal by a rule gives one line. A stack
 * trace would only show where we noticed it.
 */
function describe(error: Error): string {
  const cause = error.cause instanceof Error ? describe(error.cause) : null;
  if (isExpected(error)) return cause === null ? messageOf(error) : `${messageOf(error)}: ${cause}`;
  const stack = (error.stack ?? error.message).replace(/^Error: /, "");
  return cause === null ? stack : `${stack}\ncaused by ${cause}`;
}

function messageOf(error: Error): string {
  const code = errorCode(error);
  return code === "" || error instanceof AppError || error.message.includes(code)
    ? error.message
    : `${error.message} (${code})`;
}

const EXPECTED =
  /^(?:E[A-Z0-9]+|SQLITE_(?:FULL|BUSY|LOCKED|IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PERM)(?:_\w+)?)$/;

const isExpected = (error: Error): boolean =>
  error instanceof AppError ? error.code !== "INTERNAL_ERROR" : EXPECTED.test(errorCode(error));
