import { isJsonObject } from "#core/request/json-value.ts";
import { mapped, readAll, unreadable, type Data, type Reading } from "#core/request/reading.ts";
import { quoted } from "#core/text/text.ts";
import { readCondition } from "./condition-input.ts";
import { conditionsOf, type Rule } from "./rule.ts";
import { placeOf } from "./value-input.ts";

const CONDITIONS_MAX = 50;
const GROUPS_DEEP_MAX = 5;
const GROUPS = ["all", "any", "not"] as const;

/**
 * Reads the `rules` of a segment (docs/contract.md "Segments"): a condition, or groups of them, at most five
 * deep and with at most 50 conditions. Every problem names its place, such as `rules.all[1].op`.
 */
export function readRules(value: unknown): Reading<Rule> {
  const rule = readRule(value, "rules", 0);
  if (!rule.ok) return rule;
  const { length } = conditionsOf(rule.value);
  return length > CONDITIONS_MAX
    ? unreadable("rules", `These are ${length} conditions; at most ${CONDITIONS_MAX} are allowed.`)
    : rule;
}

function readRule(value: unknown, path: string, groups: number): Reading<Rule> {
  if (!isJsonObject(value))
    return unreadable(path, "A rule must be an object: a condition, or a group with `all`, `any` or `not`.");
  const group = GROUPS.find((kind) => Object.hasOwn(value, kind));
  if (group === undefined)
    return mapped(readCondition(value, path), (condition) => ({ kind: "condition", condition }));
  const other = Object.keys(value).find((member) => member !== group);
  if (other !== undefined)
    return unreadable(
      placeOf(path, other),
      `A group with \`${group}\` has no other member; ${quoted(other)} is too much.`,
    );
  if (groups === GROUPS_DEEP_MAX)
    return unreadable(path, `Groups lie at most ${GROUPS_DEEP_MAX} deep. Make the rules flatter.`);
  return readGroup(group, value, `${path}.${group}`, groups + 1);
}

function readGroup(kind: (typeof GROUPS)[number], data: Data, path: string, groups: number): Reading<Rule> {
  const members = data[kind];
  if (kind === "not") return mapped(readRule(members, path, groups), (rule) => ({ kind, rule }));
  if (!Array.isArray(members) || members.length === 0)
    return unreadable(path, `\`${kind}\` must be an array with at least one rule.`);
  return mapped(
    readAll((members as unknown[]).map((member, index) => readRule(member, `${path}[${index}]`, groups))),
    (rules) => ({ kind, rules }),
  );
}

/** Rules that were read before they were stored. */
export function storedRule(rules: unknown): Rule {
  const rule = readRules(rules);
  if (!rule.ok) throw new Error(`Fault in Postrider: stored rules are wrong at ${rule.problems[0]?.path}.`);
  return rule.value;
}
