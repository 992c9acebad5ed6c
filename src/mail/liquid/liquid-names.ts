import { present } from "#core/present.ts";
import { toValueSync, TypeGuards, Value, type PropertyAccessToken, type Template } from "liquidjs";
import { templatesOf } from "./engine/liquid-engine.ts";
import type { LiquidKind } from "./liquid-values.ts";

/** A name that a template uses, and the first place where it does. */
export type LiquidName = {
  /** As the author wrote it: `contact.tags[0]`. */
  readonly text: string;
  /** Its parts, up to the first part that is known only when the template is filled in. */
  readonly path: readonly string[];
  /** Where it begins in the template. */
  readonly index: number;
  /** It stands in a loop that gives it a value further down, for the next turn. */
  readonly isMadeLater: () => boolean;
  readonly position: () => { readonly line: number; readonly column: number };
};

/**
 * The names that a template takes from its scope, each once, without the names that it makes itself (`assign`,
 * `for`, `capture`). Empty for a template that cannot be read; `parseLiquid` says why. We do not use liquidjs's own
 * analysis: it counts lines up to each name, which takes minutes in a long template.
 */
export function namesIn(source: string, kind: LiquidKind): LiquidName[] {
  const names = new Names();
  try {
    for (const template of templatesOf(source, kind)) names.visit(template);
  } catch {
    return [];
  }
  return [...names.found.values()];
}

/** Where an earlier loop over the same list has stopped: `offset: continue`. */
const CONTINUE = "continue";

class Names {
  readonly found = new Map<string, LiquidName>();
  /** Names that the template made, anywhere: they are valid until its end. */
  private readonly made = new Set<string>();
  /** Names made by the surrounding blocks, with a count, because blocks with the same name may be nested. */
  private readonly around = new Map<string, number>();
  private loops = 0;

  visit(template: Template): void {
    for (const argument of template.arguments?.() ?? []) this.take(argument);
    for (const { content } of template.localScope?.() ?? []) this.made.add(content);
    const block = [...(template.blockScope?.() ?? [])];
    for (const name of block) this.around.set(name, (this.around.get(name) ?? 0) + 1);
    // Only loops make names for their block.
    if (block.length > 0) this.loops++;
    const children = template.children?.(false, true);
    if (children !== undefined) for (const child of toValueSync<Template[]>(children)) this.visit(child);
    if (block.length > 0) this.loops--;
    for (const name of block) this.around.set(name, present(this.around.get(name), "block around") - 1);
  }

  /** Takes anything that may contain names: a value with filters, a range, a property. */
  private take(part: unknown): void {
    if (part instanceof Value || TypeGuards.isFilteredValueToken(part)) {
      for (const token of part.initial.postfix) this.take(token);
      for (const { args } of part.filters)
        for (const argument of args) this.take(Array.isArray(argument) ? argument[1] : argument);
    } else if (TypeGuards.isRangeToken(part)) {
      this.take(part.lhs);
      this.take(part.rhs);
    } else if (TypeGuards.isPropertyAccessToken(part)) this.takeProperty(part);
  }

  private takeProperty(token: PropertyAccessToken): void {
    // The part before the first dot may be a text or a range.
    this.take(token.variable);
    for (const part of token.props) this.take(part);
    const path = leadOf(token);
    const [root] = path;
    if (token.variable !== undefined || root === undefined) return;
    if (root === CONTINUE || this.made.has(root) || (this.around.get(root) ?? 0) > 0) return;
    const text = token.getText();
    if (this.found.has(text)) return;
    const position = () => {
      const [line, column] = token.getPosition();
      return { line: present(line, "line"), column: present(column, "column") };
    };
    const isInLoop = this.loops > 0;
    const isMadeLater = () => isInLoop && this.made.has(root);
    this.found.set(text, { text, path, index: token.begin, isMadeLater, position });
  }
}

function leadOf({ props }: PropertyAccessToken): string[] {
  const path: string[] = [];
  for (const part of props) {
    const isPlain =
      TypeGuards.isQuotedToken(part) || TypeGuards.isNumberToken(part) || TypeGuards.isWordToken(part);
    if (!isPlain) break;
    path.push(String(part.content));
  }
  return path;
}
