import { parseHostName } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { counted, quoted } from "#core/text/text.ts";

/** How much of a workspace's mail may go to some domains of one provider; null: no such limit. */
export type DomainLimit = {
  /** In the form that addresses are stored in. The limit applies to the mail of all of them together. */
  readonly domains: readonly string[];
  readonly perHour: number | null;
  /** Messages to them that may be under way at the same time, each on a connection of its own to the relay. */
  readonly connections: number | null;
};

/** No domain is in two of them. */
export type DomainLimits = readonly DomainLimit[];

/** The API's form: by domains, several of them separated by commas. */
export type DomainLimitsJson = Readonly<Record<string, Partial<Record<Member, number>>>>;

export const MEMBERS = ["perHour", "connections"] as const;
type Member = (typeof MEMBERS)[number];

const MOST: Readonly<Record<Member, number>> = { perHour: 10_000_000, connections: 1_000 };
const LIMITS_MAX = 100;
const DOMAINS_MAX = 50;
/** Of all names together, as a request sends them. */
const CHARACTERS_MAX = 65_536;

/** One limit as it was typed: nothing is checked yet. */
type Typed = { readonly domains: string; readonly numbers: Readonly<Partial<Record<Member, unknown>>> };

const PER_HOUR = /^([0-9]{1,9})\/hour$/;
const CONNECTIONS = /^([0-9]{1,9}) connections?$/;

/**
 * Reads `gmail.com,googlemail.com 2000/hour 5 connections; outlook.com 1000/hour`, or the API's form as JSON.
 * The refusal names the place.
 */
export function parseDomainLimits(text: string): Result<DomainLimits> {
  if (text.startsWith("{")) return parsedJson(text);
  const typed: Typed[] = [];
  for (const part of text.split(";").map((one) => one.trim())) {
    const numbers = part.includes(" ") ? numbersIn(part.slice(part.indexOf(" ") + 1)) : {};
    const domains = part.split(" ", 1)[0] ?? "";
    if (numbers === null)
      return invalid(`${quoted(domains)} needs such as \`2000/hour\`, \`5 connections\`, or both.`);
    typed.push({ domains, numbers });
  }
  return checked(typed);
}

function numbersIn(text: string): Typed["numbers"] | null {
  const [, perHour, rest = ""] = /^([0-9]+\/hour)?\s*(.*)$/.exec(text.trim()) ?? [];
  const [hour, connections] = [PER_HOUR.exec(perHour ?? "")?.[1], CONNECTIONS.exec(rest)?.[1]];
  if ((perHour !== undefined && hour === undefined) || (rest !== "" && connections === undefined))
    return null;
  return {
    ...(hour === undefined ? {} : { perHour: Number(hour) }),
    ...(connections === undefined ? {} : { connections: Number(connections) }),
  };
}

function parsedJson(text: string): Result<DomainLimits> {
  try {
    return readDomainLimits(JSON.parse(text));
  } catch {
    return invalid("it begins like JSON, and is none.");
  }
}

/** Reads the API's form. */
export function readDomainLimits(value: unknown): Result<DomainLimits> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalid('it must be an object such as {"gmail.com":{"perHour":2000}}.');
  // Counted and measured first: a body may have thousands, and each name takes a while to read.
  const entries = Object.entries(value);
  if (entries.length > LIMITS_MAX) return tooMany(entries.length);
  const characters = entries.reduce((sum, [domains]) => sum + domains.length, 0);
  if (characters > CHARACTERS_MAX)
    return invalid(`its names have ${characters} characters: at most ${CHARACTERS_MAX}.`);
  const typed: Typed[] = [];
  for (const [domains, numbers] of entries) {
    if (typeof numbers !== "object" || numbers === null || Array.isArray(numbers))
      return invalid(`${quoted(domains)} must be an object with \`perHour\`, \`connections\`, or both.`);
    const foreign = Object.keys(numbers).find((key) => !MEMBERS.some((member) => member === key));
    if (foreign !== undefined)
      return invalid(
        `${quoted(domains)} has ${quoted(foreign)}: only \`perHour\` and \`connections\` are known.`,
      );
    typed.push({ domains, numbers });
  }
  return checked(typed);
}

function checked(typed: readonly Typed[]): Result<DomainLimits> {
  if (typed.length === 0) return invalid("it names no domain: to limit nothing, switch it off.");
  if (typed.length > LIMITS_MAX) return tooMany(typed.length);
  const known = new Set<string>();
  const limits: DomainLimit[] = [];
  for (const one of typed) {
    const limit = limitOf(one);
    if (!limit.ok) return limit;
    const twice = limit.value.domains.find((domain) => known.has(domain));
    if (twice !== undefined) return invalid(`${quoted(twice)} has two limits. Give it one.`);
    for (const domain of limit.value.domains) known.add(domain);
    limits.push(limit.value);
  }
  return accept(limits);
}

const tooMany = (limits: number) => invalid(`it has ${limits} limits: at most ${LIMITS_MAX}.`);

function limitOf({ domains: names, numbers }: Typed): Result<DomainLimit> {
  const parts = names.split(",", DOMAINS_MAX + 1).map((one) => one.trim());
  if (parts.length > DOMAINS_MAX)
    return invalid(`${quoted(parts[0] ?? "")} and others are too many: at most ${DOMAINS_MAX} together.`);
  const domains: string[] = [];
  for (const name of parts) {
    const domain = parseHostName(name.toLowerCase());
    if (!domain.ok) return invalid(`${quoted(name)} is no domain such as gmail.com.`);
    if (domains.includes(domain.value))
      return invalid(`${quoted(domain.value)} has two limits. Give it one.`);
    domains.push(domain.value);
  }
  const perHour = countOf(numbers, "perHour", names);
  if (!perHour.ok) return perHour;
  const connections = countOf(numbers, "connections", names);
  if (!connections.ok) return connections;
  if (perHour.value === null && connections.value === null)
    return invalid(`${quoted(names)} has no limit: give messages an hour, connections, or both.`);
  return accept({ domains, perHour: perHour.value, connections: connections.value });
}

function countOf(numbers: Typed["numbers"], member: Member, names: string): Result<number | null> {
  const value = numbers[member] ?? null;
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
  if (value === null || (isCount && value <= MOST[member])) return accept(value);
  return invalid(`${member} of ${quoted(names)} must be a whole number from 1 to ${MOST[member]}.`);
}

export const formatDomainLimits = (limits: DomainLimits): string =>
  limits
    .map(({ domains, perHour, connections }) =>
      [
        domains.join(","),
        ...(perHour === null ? [] : [`${perHour}/hour`]),
        ...(connections === null ? [] : [counted(connections, "connection", "connections")]),
      ].join(" "),
    )
    .join("; ");

export const domainLimitsJson = (limits: DomainLimits): DomainLimitsJson =>
  Object.fromEntries(
    limits.map(({ domains, perHour, connections }) => [
      domains.join(","),
      { ...(perHour === null ? {} : { perHour }), ...(connections === null ? {} : { connections }) },
    ]),
  );
