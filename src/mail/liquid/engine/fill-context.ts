import { Context, toValue, type Liquid } from "liquidjs";
import type { Instant } from "#core/time/clock.ts";
import { FULL, Spending } from "#mail/liquid/allowance.ts";

/**
 * What a rendering would otherwise take from the clock and from chance. With it, a letter that is made again, for a
 * second attempt or for its web version, is the same.
 */
export type LiquidMoment = { readonly now: Instant; readonly seed: number };

export const momentOf = (context: Context): LiquidMoment | undefined => (context as FillContext).moment;

/** What a rendering knows: its scope, and the names that its tags made, which take precedence. */
export class FillContext extends Context {
  moment: LiquidMoment | undefined;
  /** The scopes of the surrounding blocks, innermost last. */
  readonly #blocks: object[] = [];
  constructor(
    liquid: Liquid,
    private readonly limits: Limits,
  ) {
    super({}, liquid.options, { sync: true }, { ...limits.asLimiters(), liquid });
  }
  /** What the next rendering is made with. Call it only if the last one left nothing behind, as one without tags. */
  begin(scope: object, spending: Spending, moment: LiquidMoment | undefined): void {
    this.environments = scope;
    this.limits.spending = spending;
    this.moment = moment;
  }
  override push(block: object): number {
    this.#blocks.push(block);
    return super.push(block);
  }
  override pop(): object | undefined {
    this.#blocks.pop();
    return super.pop();
  }
  /** The entries of an object are counted one by one for its size. Lists and texts know theirs. */
  override readProperty(...[of, key]: Parameters<Context["readProperty"]>): unknown {
    this.limits.spending.look();
    if (toValue(key) === "size") this.limits.spending.list(of);
    return super.readProperty(of, key) as unknown;
  }
  /** The scope where liquidjs would look up a name. */
  scopeOf(name: string): Readonly<Record<string, unknown>> {
    const around = this.#blocks.findLast((block) => name in block);
    const found = around ?? [this.bottom(), this.environments].find((scope) => name in scope);
    return (found ?? this.globals) as Readonly<Record<string, unknown>>;
  }
}

/** liquidjs types its limiters as its own class, but uses only these two methods. */
type Limiters = NonNullable<ConstructorParameters<typeof Context>[3]>;

/** Counts what the current rendering costs. */
export class Limits {
  spending = new Spending(FULL);
  check(): void {
    this.spending.check();
  }
  use(): void {}
  asLimiters(): Limiters {
    const memory = { check: () => undefined, use: (count: unknown) => this.spending.make(Number(count)) };
    return { renderLimit: this, memoryLimit: memory } as unknown as Limiters;
  }
}

export const spendingOf = ({ renderLimit }: Context): Spending => (renderLimit as unknown as Limits).spending;
