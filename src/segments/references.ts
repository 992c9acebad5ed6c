import { accept, invalid, refuse, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import type { Condition, Rule } from "./rule.ts";

/** Something of the workspace that a rule names by its id, and where in the rule. */
export type Reference = {
  readonly kind: "list" | "segment" | "campaign";
  readonly id: string;
  readonly path: string;
};

/** Every id in a rule, from left to right. */
export function referencesOf(rule: Rule, path = "rules"): Reference[] {
  switch (rule.kind) {
    case "condition":
      return referenceOf(rule.condition, `${path}.value`);
    case "not":
      return referencesOf(rule.rule, `${path}.not`);
    case "all":
    case "any":
      return rule.rules.flatMap((each, index) => referencesOf(each, `${path}.${rule.kind}[${index}]`));
  }
}

function referenceOf(condition: Condition, path: string): Reference[] {
  if (condition.on === "list") return [{ kind: "list", id: condition.listId, path }];
  if (condition.on === "segment") return [{ kind: "segment", id: condition.segmentId, path }];
  return "mailId" in condition && condition.mailId !== null
    ? [{ kind: "campaign", id: condition.mailId, path }]
    : [];
}

/**
 * What a workspace has of the things that a rule names; `uses`: which segments each of its segments asks for.
 */
export type Surroundings = {
  readonly missing: readonly Reference[];
  readonly uses: ReadonlyMap<string, readonly string[]>;
};

/**
 * Refuses rules that name something the workspace does not have, or that lead back to their own segment: it would
 * depend on itself.
 * @param ownId null for a segment that does not exist yet
 */
export function checkReferences(
  ownId: string | null,
  references: readonly Reference[],
  { missing, uses }: Surroundings,
): Result<null> {
  const [first] = missing;
  if (first !== undefined)
    return refuse(
      "NOT_FOUND",
      `\`${first.path}\`: there is no ${first.kind} ${quoted(first.id)} in this workspace.`,
    );
  const back = references.find(
    ({ kind, id }) => kind === "segment" && ownId !== null && leadsTo(id, ownId, uses),
  );
  if (back === undefined) return accept(null);
  return invalid(
    back.id === ownId
      ? `\`${back.path}\`: a segment cannot ask for itself.`
      : `\`${back.path}\`: that segment asks for this one already; they would go round in a circle.`,
  );
}

function leadsTo(from: string, target: string, uses: Surroundings["uses"]): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === target) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(uses.get(id) ?? []));
  }
  return false;
}
