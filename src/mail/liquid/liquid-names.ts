import type { Variable } from "liquidjs";
import { ENGINES, type LiquidKind } from "./liquid-engine.ts";

/** A name a template asks for, and where it does so first. */
export type LiquidName = {
  /** As its author would write it: `contact.tags[0]`. */
  readonly text: string;
  /** Its parts up to the first that is only known when the template is filled in. */
  readonly path: readonly string[];
  readonly line: number;
  readonly column: number;
};

/**
 * The names that a template takes from its scope, each once, without those it makes itself (`assign`, `for`, `capture`). None for a
 * template that cannot be read: `parseLiquid` says why.
 */
export function namesIn(source: string, kind: LiquidKind): LiquidName[] {
  const liquid = ENGINES[kind];
  try {
    const { globals } = liquid.analyzeSync(liquid.parse(source), { partials: false });
    const names = Object.values(globals).flat().map(nameOf);
    return [...Map.groupBy(names, ({ text }) => text).values()].map(([first]) => first!);
  } catch {
    return [];
  }
}

function nameOf(variable: Variable): LiquidName {
  const { segments, location } = variable;
  const unknownAt = segments.findIndex((segment) => typeof segment === "object");
  const path = segments.slice(0, unknownAt === -1 ? undefined : unknownAt).map(String);
  return { text: String(variable), path, line: location.row, column: location.col };
}
