/**
 * Fields and parameters that people know from other services and that would change what happens. They are
 * refused, so that nobody believes they had an effect. Each feature lists them in a table next to its schema
 * (`foreign-names.ts`): the name, and what to do instead. A name that a route documents is never foreign,
 * whatever a table says. A name that no table has is ignored, as always.
 */
import type { TObject } from "@sinclair/typebox";
import { AppError } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import { isObject } from "#http/body/json-body.ts";

/**
 * By name, in any spelling (`sendAt` also covers `send_at`). The value ends the sentence "There is no
 * `sendAt`: …".
 */
export type ForeignNames = Readonly<Record<string, string>>;

/** By field: the members of the objects in it, and the names that other services give them. */
export type ForeignInside = Readonly<Record<string, { readonly own: object; readonly names: ForeignNames }>>;

/** Parameters of other services' lists. */
export const FOREIGN_PAGING: ForeignNames = {
  page: "pass the `nextCursor` of one page as `after` of the next",
  pageNumber: "pass the `nextCursor` of one page as `after` of the next",
  offset: "pass the `nextCursor` of one page as `after` of the next",
  skip: "pass the `nextCursor` of one page as `after` of the next",
  start: "pass the `nextCursor` of one page as `after` of the next",
  cursor: "pass the `nextCursor` of one page as `after` of the next",
  nextCursor: "pass it as `after`",
  pageToken: "pass the `nextCursor` of one page as `after` of the next",
  startingAfter: "pass the `nextCursor` of one page as `after` of the next",
  before: "lists are walked one way, from the newest on, with `after`",
  endingBefore: "lists are walked one way, from the newest on, with `after`",
  pageSize: "it is called `limit`",
  perPage: "it is called `limit`",
  pageLimit: "it is called `limit`",
  maxResults: "it is called `limit`",
  size: "it is called `limit`",
  count: "it is called `limit`",
  sort: "lists are newest first",
  sortBy: "lists are newest first",
  sortField: "lists are newest first",
  sortDir: "lists are newest first",
  sortOrder: "lists are newest first",
  order: "lists are newest first",
  orderBy: "lists are newest first",
  orderDirection: "lists are newest first",
  direction: "lists are newest first",
  q: "this list cannot be searched",
  search: "where a list can be searched it is called `q`",
  query: "where a list can be searched it is called `q`",
  keyword: "where a list can be searched it is called `q`",
  filter: "the filters of this list have names of their own: see `/docs`",
  since: "lists are newest first: stop where you have seen enough",
  sinceDate: "lists are newest first: stop where you have seen enough",
  createdAfter: "lists are newest first: stop where you have seen enough",
  createdBefore: "lists have no filter by date",
  until: "lists have no filter by date",
  startDate: "lists have no filter by date",
  endDate: "lists have no filter by date",
};

/** Whether a query belongs to a list route, to which `FOREIGN_PAGING` applies. */
export const isPaged = (query: TObject): boolean => "limit" in query.properties;

/** Nobody writes more members by hand. Larger objects are not checked. */
const MEMBERS_MAX = 1_000;
const NAME_MAX = 60;
const ITEMS_MAX = 20;

/** One table together with a route's own names, prepared for look-ups. */
type Known = { readonly own: ReadonlySet<string>; readonly advice: ReadonlyMap<string, string> };

const prepared = new WeakMap<ForeignNames, WeakMap<object, Known>>();

/** Ignores case, `_`, `-` and brackets: `send_at`, `SendAt` and `sendAt` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-[\]]/g, "");

function knownOf(own: object, foreign: ForeignNames): Known {
  const forTable = prepared.get(foreign) ?? new WeakMap<object, Known>();
  prepared.set(foreign, forTable);
  const ready = forTable.get(own);
  if (ready) return ready;
  const names = Object.keys(own);
  const advice = new Map<string, string>(Object.entries(foreign).map(([name, text]) => [plain(name), text]));
  for (const name of names) advice.set(plain(name), `it is called \`${name}\``);
  const known = { own: new Set(names), advice };
  forTable.set(own, known);
  return known;
}

/**
 * @param own the documented fields, by name
 * @param given what was sent; `null` and an empty text, list or object count as not sent
 * @param place where in the body, if not at its top level: " in `to`"
 * @throws AppError VALIDATION_ERROR for the first foreign name
 */
export function refuseForeign(
  own: object,
  foreign: ForeignNames,
  given: Readonly<Record<string, unknown>>,
  place = "",
): void {
  const known = knownOf(own, foreign);
  let seen = 0;
  for (const name in given) {
    if (++seen > MEMBERS_MAX) return;
    if (known.own.has(name) || name.length > NAME_MAX || isEmpty(given[name])) continue;
    const advice = known.advice.get(plain(name));
    if (advice !== undefined)
      throw new AppError("VALIDATION_ERROR", `There is no ${shown(name)}${place}: ${advice}.`);
  }
}

/** The same for the object, or list of objects, in a field. */
export function refuseForeignInside(inside: ForeignInside, body: Readonly<Record<string, unknown>>): void {
  for (const [field, { own, names }] of Object.entries(inside)) {
    const value = body[field];
    for (const item of (Array.isArray(value) ? value : [value]).slice(0, ITEMS_MAX))
      if (isObject(item)) refuseForeign(own, names, item, ` in \`${field}\``);
  }
}

const shown = (name: string): string => (/^[\w.-]+$/.test(name) ? `\`${name}\`` : quoted(name));

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

/** For the document: the names of a table that are not the route's own. */
export const foreignTo = (own: object, foreign: ForeignNames): string[] =>
  Object.keys(foreign).filter((name) => !Object.hasOwn(own, name));
