import type { Instant } from "#core/time/clock.ts";
import type { DomainLimits } from "#workspaces/domain-limits.ts";
import type { HourCount } from "./hour-count.ts";
import { Lane } from "./lane.ts";

/** After so many temporary refusals in a row, without a word about speed, a domain is slowed down too. */
const REFUSALS_IN_A_ROW = 5;
/** Domains whose refusals are counted. Beyond that, counting begins anew. */
const COUNTED_MAX = 1_000;

/** A provider that said that a workspace's mail comes too fast. */
export type SlowedDomain = { readonly domains: readonly string[]; readonly since: Instant };

/**
 * The domains of a workspace that do not get mail as fast as it goes: those with a limit, and those that said that
 * our mail comes too fast. All others have no lane.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Free again. A domain that is slowed down once more has the same lane as before. */
  readonly #freed = new Map<string, Lane>();
  readonly #refusals = new Map<string, number>();
  #limits: DomainLimits = [];
  #changes = 0;

  /** Most of the time there is none, and nothing has to be looked at. */
  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  /** How often the limits were changed. Then a domain may have another lane than before. */
  get changes(): number {
    return this.#changes;
  }

  of(domain: string): Lane | null {
    return this.#lanes.get(domain) ?? null;
  }

  /** Whether these are the limits that it has. */
  has(limits: DomainLimits): boolean {
    return JSON.stringify(limits) === JSON.stringify(this.#limits);
  }

  /** New limits. `countOf` says what went to some domains within the last hour. What is slowed stays slowed. */
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

  /** What went to some domains within the last hour, as `countOf` says now. */
  recount(countOf: (domains: readonly string[]) => HourCount): void {
    for (const lane of new Set(this.#lanes.values()))
      if (lane.limit !== null) lane.recount(countOf(lane.domains));
  }

  /** A domain says that our mail comes too fast. True: it is new. */
  complained(domain: string, complaint: Parameters<Lane["complained"]>[0]): boolean {
    const lane = this.#lanes.get(domain) ?? this.#freed.get(domain) ?? new Lane([domain]);
    this.#lanes.set(domain, lane);
    return lane.complained(complaint);
  }

  /** A message to the domain was put off in other words. True: it were several in a row. */
  refused(domain: string): boolean {
    if (this.#refusals.size >= COUNTED_MAX) this.#refusals.clear();
    const times = (this.#refusals.get(domain) ?? 0) + 1;
    this.#refusals.set(domain, times);
    if (times < REFUSALS_IN_A_ROW) return false;
    this.#refusals.delete(domain);
    return true;
  }

  /** A message to the domain was accepted. True: it was slowed until now. */
  accepted(domain: string, now: Instant): boolean {
    if (this.#refusals.size > 0) this.#refusals.delete(domain);
    const lane = this.#lanes.get(domain);
    if (lane === undefined || !lane.accepted(now)) return false;
    this.#forgetFree();
    return true;
  }

  /** Those that are slowed down now. */
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
