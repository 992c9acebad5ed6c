/**
 * What conditions cost. liquidjs counts nothing for them, but one may have thousands of operators, and comparisons read
 * both sides from end to end: `contains` looks at each entry of a list. What is written in a `capture` block is a text to them.
 */
import {
  CaseTag,
  defaultOperators,
  evalToken,
  IfTag,
  toValue,
  UnlessTag,
  type Context,
  type Emitter,
} from "liquidjs";
import { spendingOf } from "./fill-context.ts";
import { asText } from "#mail/liquid/liquid-values.ts";

type Operator = (...given: unknown[]) => unknown;
type Compare = (left: unknown, right: unknown, context: Context) => unknown;

const counted =
  (compare: Compare): Compare =>
  (left, right, context) => {
    const [one, other] = [asText(left), asText(right)];
    const spending = spendingOf(context);
    spending.check();
    spending.compare(one);
    spending.compare(other);
    return compare(one, other, context);
  };

const COMPARISONS = ["==", "!=", ">", "<", ">=", "<=", "contains"];

const LOGICAL = ["and", "or", "not"];

/** `and`, `or` and `not` read nothing. The context comes last: `not` has one side only. */
const logical =
  (operator: Operator): Operator =>
  (...given) => {
    spendingOf(given.at(-1) as Context).check();
    return operator(...given);
  };

/** Those of liquidjs. */
export const OPERATORS = {
  ...defaultOperators,
  ...Object.fromEntries(COMPARISONS.map((name) => [name, counted(defaultOperators[name] as Compare)])),
  ...Object.fromEntries(LOGICAL.map((name) => [name, logical(defaultOperators[name] as Operator)])),
} as typeof defaultOperators;

/** Each `elsif` is a branch, and may be tried at every turn of a loop. */
export class CountedIf extends IfTag {
  override *render(context: Context, emitter: Emitter): ReturnType<IfTag["render"]> {
    spendingOf(context).parts(this.branches.length);
    return yield* super.render(context, emitter);
  }
}

export class CountedUnless extends UnlessTag {
  override *render(context: Context, emitter: Emitter): ReturnType<UnlessTag["render"]> {
    spendingOf(context).parts(this.branches.length);
    return yield* super.render(context, emitter);
  }
}

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
