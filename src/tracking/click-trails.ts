import type { Instant } from "#core/time/clock.ts";
import { SWEEP_OF_ALL_WITHIN_MS } from "./suspicion.ts";

/** A link of a message, and when it was last followed. */
type Click = { readonly link: number; readonly at: Instant };
type Trails = Map<number, readonly Click[]>;

/**
 * Which links of which message were followed in the last seconds, for `isSweep`. Kept in memory only, for at
 * most `messagesMax` messages, and always for the half of them that were clicked last. Clicks that were
 * forgotten, by this limit or by a restart, raise no suspicion.
 *
 * Clicks are grouped by period, and a whole period is forgotten at once. Removing single entries from a map
 * that is always full would be the most expensive part of a click.
 */
export class ClickTrails {
  #current: Trails = new Map();
  #before: Trails = new Map();
  /** When the current period began. */
  #since: Instant = Number.NaN;

  constructor(private readonly messagesMax: number) {}

  get messageCount(): number {
    return this.#current.size + this.#before.size;
  }

  /** Adds a click. Returns when each different link of the message was last followed, including this one. */
  add(message: number, link: number, now: Instant): Instant[] {
    this.#turnOver(now);
    const known = this.#current.get(message) ?? this.#before.get(message) ?? [];
    const clicks = known.filter((click) => click.link !== link && isRecent(click.at, now));
    clicks.push({ link, at: now });
    this.#current.set(message, clicks);
    return clicks.map(({ at }) => at);
  }

  /**
   * A period ends when it is full, or when it began so long ago that a part of it no longer counts. The
   * period before the previous one is forgotten.
   */
  #turnOver(now: Instant): void {
    const ageMs = now - this.#since;
    const isFull = this.#current.size * 2 >= this.messagesMax;
    if (!isFull && ageMs >= 0 && ageMs <= SWEEP_OF_ALL_WITHIN_MS) return;
    const mayCount = ageMs >= 0 && ageMs <= 2 * SWEEP_OF_ALL_WITHIN_MS;
    this.#before = mayCount ? this.#current : new Map();
    this.#current = new Map();
    this.#since = now;
  }
}

/** An instant in the future was written before the clock was set back. It counts as forgotten. */
const isRecent = (at: Instant, now: Instant): boolean => at <= now && now - at <= SWEEP_OF_ALL_WITHIN_MS;
