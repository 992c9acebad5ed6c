import { closestOf } from "#core/text/closest.ts";
import { namesIn, type LiquidName } from "./liquid-names.ts";
import type { LiquidKind } from "./liquid.ts";

/** The names that are filled in: each with its members, or with none if it is a value itself. */
export type KnownNames = Readonly<Record<string, readonly string[]>>;

/**
 * The names in a template that always stay empty. Below a known member, names belong to the contact or the
 * event.
 */
export const unknownNames = (source: string, kind: LiquidKind, known: KnownNames): LiquidName[] =>
  namesIn(source, kind)
    .filter(({ path, isMadeLater }) => !isKnown(path, known) && !isMadeLater())
    .slice(0, SHOWN_MAX);

const SHOWN_MAX = 20;

const isKnown = ([first = "", second]: readonly string[], known: KnownNames): boolean =>
  Object.hasOwn(known, first) && (second === undefined || (known[first] ?? []).includes(second));

/**
 * What was meant by a name that is not known; null if nothing is like it. `contact.first_name`, `first_name`
 * and `subscriber.first_name` all mean `contact.firstName`.
 */
export function meantBy(path: readonly string[], known: KnownNames): string | null {
  const [first = ""] = path;
  const last = path.at(-1) ?? "";
  const of = Object.hasOwn(known, first) ? first : "contact";
  const member = closestOf(last, known[of] ?? []);
  return member === null ? closestOf(last, valuesOf(known)) : `${of}.${member}`;
}

const valuesOf = (known: KnownNames): string[] => Object.keys(known).filter((of) => known[of]?.length === 0);

/** All of them, for a sentence. */
export const allNames = (known: KnownNames): string =>
  [
    ...Object.entries(known).flatMap(([of, members]) => members.map((member) => `${of}.${member}`)),
    ...valuesOf(known),
  ].join(", ");
