import { Drop, Output, TypeGuards, type Template, type Token } from "liquidjs";
import type { UnquotedPlaces } from "./unquoted-places.ts";

/**
 * A part of a template without tags: text, a place for one plain value, or an output that liquidjs must work out
 * (it has filters, or looks into a list).
 */
export type Hole =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "name"; readonly path: readonly string[]; readonly outputs: readonly [Output] }
  | { readonly kind: "output"; readonly outputs: readonly [Output] };

/** Names with a special meaning in Liquid: `contact.tags.size`. */
const OWN_MEANING = new Set(["size", "first", "last"]);

/**
 * The parts of a template that has only text and outputs, as most letters have. Null if it has tags: conditions,
 * loops, assignments. Such parts can be filled in without liquidjs, which takes most of the time.
 */
export function holesOf(templates: readonly Template[], unquoted: UnquotedPlaces): Hole[] | null {
  const holes: Hole[] = [];
  for (const template of templates) {
    if (template instanceof Output) holes.push(holeOf(template, unquoted));
    else if (TypeGuards.isHTMLToken(template.token))
      holes.push({ kind: "text", text: template.token.getContent().toWellFormed() });
    else return null;
  }
  return holes;
}

function holeOf(output: Output, unquoted: UnquotedPlaces): Hole {
  const { initial, filters } = output.value;
  const [token] = initial.postfix;
  // The engine itself adds one filter to each output: the escaping filter.
  const isPlain = filters.length === 1 && initial.postfix.length === 1 && !unquoted.has(output.token.begin);
  const path = isPlain && token !== undefined ? plainPath(token) : null;
  const outputs = [output] as const;
  return path === null ? { kind: "output", outputs } : { kind: "name", path, outputs };
}

/** A name with further names after dots, `contact.attributes.city`; null for anything else. */
export function plainPath(token: Token): readonly [string, ...string[]] | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return null;
  const path: string[] = [];
  for (const part of token.props) {
    if (!TypeGuards.isWordToken(part) || OWN_MEANING.has(part.content)) return null;
    path.push(part.content);
  }
  const [root, ...rest] = path;
  return root === undefined ? null : [root, ...rest];
}

/** Stands for a value that only liquidjs can look up. */
export const ASK_LIQUIDJS = Symbol("ask liquidjs");

/**
 * The value of a path, as liquidjs finds it: only own members of plain data. `ASK_LIQUIDJS` if something on the path is
 * a list, a text or a number.
 */
export function valueAt(scope: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let value: unknown = scope;
  for (const name of path) {
    if (value === null || value === undefined) return value;
    if (typeof value !== "object" || Array.isArray(value) || value instanceof Drop) return ASK_LIQUIDJS;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return typeof value === "function" ? ASK_LIQUIDJS : value;
}
