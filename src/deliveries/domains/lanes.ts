import type { Instant } from "#core/time/clock.ts";
import type { DomainLimits } from "#workspaces/domain-limits.ts";
import type { HourCount } from "./hour-count.ts";
import { Lane } from "./lane.ts";

/** A domain is also slowed down after this many temporary refusals in a row that do not mention speed. */
const REFUSALS_IN_A_ROW = 5;
/** The most domains whose refusals are counted. Beyond that, counting starts again from zero. */
const COUNTED_MAX = 1_000;

/** A provider that said that a workspace's mail comes too fast. */
export type SlowedDomain = { readonly domains: readonly string[]; readonly since: Instant };

/**
 * The domains of a workspace that do not get mail at full speed: those with a limit, and those that said that our
 * mail comes too fast. All others have no lane.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that are no longer slowed down. A domain that is slowed down once more gets its old lane back. */
  readonly #freed = new Map<string, Lane>();
  readonly #refusals = new Map<string, number>();
  #limits: DomainLimits = [];
  #changes = 0;

  /** Usually there are no lanes, and then nothing has to be looked up. */
  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  /** How often the limits were changed. After a change a domain may have another lane. */
  get changes(): number {
    return this.#changes;
  }

  of(domain: string): Lane | null {
    return this.#lanes.get(domain) ?? null;
  }

  /** Whether the limits are the same as the current ones. */
  has(limits: DomainLimits): boolean {
    return JSON.stringify(limits) === JSON.stringify(this.#limits);
  }

  /** Sets new limits. `countOf` returns what went to some domains within the last hour. Slowed domains stay slowed. */
  limit(limits: DomainLimits, countOf: (domains: readonly string[]) => HourCount): void {
    this.#limits = limits;
    this.#changes++;
    this.#freed.clear();
    const before = new Map(this.#lanes);
    for (const lane of before.values()) lane.limit = null;
    for (const limit of limits) {
      const known = before.get(limit.domains[0] ?? "");
      const isSame = known?.domains.join() === limit.domains.join();
      const lane = known !== undefined && isSame ? known : new Lane(limit.domains, countOf(limit.domains));
      if (known !== undefined && !isSame) lane.takeOver(known);
      lane.limit = limit;
      for (const domain of limit.domains) this.#lanes.set(domain, lane);
    }
    this.#forgetFree();
  }

  /** Counts again what went to the limited domains within the last hour, with `countOf`. */
  recount(countOf: (domains: readonly string[]) => HourCount): void {
    for (const lane of new Set(this.#lanes.values()))
      if (lane.limit !== null) lane.recount(countOf(lane.domains));
  }

  /** A domain says that our mail comes too fast. Returns true if it was not slowed down before. */
  complained(domain: string, complaint: Parameters<Lane["complained"]>[0]): boolean {
    const lane = this.#lanes.get(domain) ?? this.#freed.get(domain) ?? new Lane([domain]);
    this.#lanes.set(domain, lane);
    return lane.complained(complaint);
  }

  /** A message to the domain was put off for another reason. Returns true after several in a row. */
  countRefusal(domain: string): boolean {
    if (this.#refusals.size >= COUNTED_MAX) this.#refusals.clear();
    const times = (this.#refusals.get(domain) ?? 0) + 1;
    this.#refusals.set(domain, times);
    if (times < REFUSALS_IN_A_ROW) return false;
    this.#refusals.delete(domain);
    return true;
  }

  /** A message to the domain was accepted. Returns true if this ends the slowing down. */
  countAccepted(domain: string, now: Instant): boolean {
    if (this.#refusals.size > 0) this.#refusals.delete(domain);
    const lane = this.#lanes.get(domain);
    if (lane === undefined || !lane.accepted(now)) return false;
    this.#forgetFree();
    return true;
  }

  /** The providers that are slowed down now. */
  slowed(): SlowedDomain[] {
    return [...new Set(this.#lanes.values())].flatMap(({ domains, slowing }) =>
      slowing === null ? [] : [{ domains, since: slowing.since }],
    );
  }

  #forgetFree(): void {
    for (const [domain, lane] of this.#lanes) {
      if (!lane.isFree) continue;
      this.#lanes.delete(domain);
      this.#freed.set(domain, lane);
    }
  }
}
