/** The requests of the pages bench. */
import { EVENT_NAMES, FIRST_NAMES, LAST_NAMES } from "./seed-sql.ts";
import type { Seeded } from "./seed.ts";

/** A seeded server's data, and a cursor far from the beginning of one of its lists. */
export type Asked = Seeded & { readonly deepCursor: string };

/** Requests of one kind: the path of the `n`th, from 0. It must be a different one each time if a cache could help. */
export type PageRequests = { readonly what: string; path(n: number, of: Asked): string };

const one = <T>(of: readonly T[], n: number): T => of[n % of.length]!;
const numbered = (n: number, { contacts }: Asked): number => 1 + ((n * 7919) % contacts);
/** The number in a seeded contact's address: nobody else has it whole. */
const ownNumber = (n: number, of: Asked): number => (numbered(n, of) * 48_271) % 2_147_483_647;
const list = (n: number, of: Asked): string => `/lists/${of.listIds[n]}/contacts`;
const q = (text: string | number): string => `q=${encodeURIComponent(text)}`;

export const WITHOUT_Q: readonly PageRequests[] = [
  { what: "GET /contacts", path: () => "/contacts" },
  { what: "GET /contacts, a deep page", path: (_, of) => `/contacts?after=${of.deepCursor}` },
  { what: "GET /contacts?status", path: (n) => `/contacts?status=${one(["PENDING", "BOUNCED"], n)}` },
  { what: "GET /contacts?tag", path: (n) => `/contacts?tag=${one(["vip", "customer", "reader"], n)}` },
  { what: "GET /contacts?tag&status", path: () => "/contacts?tag=reader&status=SUBSCRIBED" },
  { what: "GET /lists/{id}/contacts", path: (n, of) => list(n % 3, of) },
  { what: "GET /lists/{id}/contacts?status", path: (n, of) => `${list(n % 3, of)}?status=PENDING` },
  { what: "GET /lists", path: () => "/lists" },
  { what: "GET /campaigns", path: () => "/campaigns" },
  { what: "GET /campaigns?status", path: () => "/campaigns?status=SCHEDULED" },
  { what: "GET /events", path: () => "/events" },
  { what: "GET /events?name", path: (n) => `/events?name=${one(EVENT_NAMES, n)}` },
  { what: "GET /events?contactId", path: (n, of) => `/events?contactId=${one(of.contactIds, n)}` },
  {
    what: "GET /events?contactId&name",
    path: (n, of) => `/events?contactId=${one(of.contactIds, n)}&name=${one(EVENT_NAMES, n)}`,
  },
];

/** Terms that few or none have: another one each time. */
export const RARE: readonly PageRequests[] = [
  { what: "GET /contacts?q, one person has it", path: (n, of) => `/contacts?${q(ownNumber(n, of))}` },
  {
    what: "GET /contacts?q, a whole address",
    path: (n, of) => `/contacts?${q(`.${ownNumber(n, of)}@example.com`)}`,
  },
  { what: "GET /contacts?q, nobody has it", path: (n) => `/contacts?${q(`nobody-${n}`)}` },
  { what: "GET /contacts?tag&q, rare", path: (n, of) => `/contacts?tag=reader&${q(ownNumber(n, of))}` },
  { what: "GET /lists/{id}/contacts?q, rare", path: (n, of) => `${list(0, of)}?${q(ownNumber(n, of))}` },
  { what: "GET /lists?q", path: (n) => `/lists?${q(one(["letter 1", "readers", "nothing"], n))}` },
  { what: "GET /campaigns?q", path: (n) => `/campaigns?${q(one(["letter 1", "week 7", "nothing"], n))}` },
];

/** Terms that many have, whose totals are known from earlier requests. */
export const COMMON_AGAIN: readonly PageRequests[] = [
  {
    what: "GET /contacts?q, a surname, again",
    path: (n) => `/contacts?${q(one(LAST_NAMES.slice(0, 5), n))}`,
  },
  {
    what: "GET /contacts?q, a surname, deep, again",
    path: (n, of) => `/contacts?after=${of.deepCursor}&${q(one(LAST_NAMES.slice(0, 5), n))}`,
  },
  {
    what: "GET /contacts?q, everybody has it, again",
    path: (n) => `/contacts?${q(one(["example", "ample."], n))}`,
  },
  {
    what: "GET /contacts?q, 1 or 2 characters, again",
    path: (n) => `/contacts?${q(one(["a", "花", "ad", "9@", "qz"], n))}`,
  },
  {
    what: "GET /contacts?status&q, again",
    path: (n) => `/contacts?status=${one(["PENDING", "SUBSCRIBED"], n)}&${q(one(LAST_NAMES.slice(0, 5), n))}`,
  },
  {
    what: "GET /lists/{id}/contacts?q, a surname, again",
    path: (n, of) => `${list(0, of)}?${q(one(LAST_NAMES.slice(0, 3), n))}`,
  },
  {
    what: "GET /lists/{id}/contacts?status&q, again",
    path: (_, of) => `${list(0, of)}?status=PENDING&q=example`,
  },
];

const NAMES = [...LAST_NAMES.slice(5), ...FIRST_NAMES].filter((name) => name.length >= 4);
const PIECES = ["exa", "xam", "amp", "mpl", "ple", "exam", "xamp", "ampl", "mple", "xample"];
const LETTERS = "bcdfghijklmnop";

/** The same for the first time, so that each is counted; there are this many different ones. */
export const COMMON_FIRST: readonly (PageRequests & { readonly times: number })[] = [
  {
    what: "GET /contacts?q, a name, first time",
    path: (n) => `/contacts?${q(NAMES[n]!)}`,
    times: NAMES.length,
  },
  {
    what: "GET /contacts?q, everybody has it, first time",
    path: (n) => `/contacts?${q(PIECES[n]!)}`,
    times: PIECES.length,
  },
  {
    what: "GET /contacts?q, 1 character, first time",
    path: (n) => `/contacts?${q(LETTERS[n]!)}`,
    times: LETTERS.length,
  },
];
