/**
 * What comparisons cost. liquidjs counts nothing for them, but they read both sides from end to end: `contains` looks
 * at each entry of a list. What is written in a `capture` block is a text to them.
 */
import { CaseTag, defaultOperators, evalToken, toValue, type Context, type Emitter } from "liquidjs";
import { spendingOf } from "./fill-context.ts";
import { asText } from "./liquid-values.ts";

type Compare = (left: unknown, right: unknown, context: Context) => unknown;

const counted =
  (compare: Compare): Compare =>
  (left, right, context) => {
    const [one, other] = [asText(left), asText(right)];
    const spending = spendingOf(context);
    spending.compare(one);
    spending.compare(other);
    return compare(one, other, context);
  };

const COMPARISONS = ["==", "!=", ">", "<", ">=", "<=", "contains"];

/** Those of liquidjs. `and`, `or` and `not` read nothing. */
export const OPERATORS = {
  ...defaultOperators,
  ...Object.fromEntries(COMPARISONS.map((name) => [name, counted(defaultOperators[name] as Compare)])),
} as typeof defaultOperators;

/** `case` compares without the operators. */
export class CountedCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const target = toValue(yield this.value.value(context, context.opts.lenientIf));
    const isEqual = OPERATORS["=="] as Compare;
    let isHit = false;
    for (const { values, templates } of this.branches)
      for (const token of values) {
        const value = yield evalToken(token, context, context.opts.lenientIf);
        if (!(yield isEqual(target, value, context))) continue;
        yield this.liquid.renderer.renderTemplates(templates, context, emitter);
        isHit = true;
        break;
      }
    if (!isHit) yield this.liquid.renderer.renderTemplates(this.elseTemplates, context, emitter);
  }
}
