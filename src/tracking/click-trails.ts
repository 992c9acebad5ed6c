import type { Instant } from "#core/clock.ts";
import { SWEEP_OF_ALL_WITHIN_MS } from "./suspicion.ts";

/** A link of a message, and when it was followed last. */
type Click = { readonly link: number; readonly at: Instant };
type Trails = Map<number, readonly Click[]>;

/**
 * Which links of which message were followed in the last seconds, as `isSweep` needs it. In memory only, for
 * `messagesMax` messages at most, of those clicked last always half as many: what is forgotten by that or by a restart is not suspected.
 *
 * Trails are forgotten by the stretch they were walked in, all of a stretch at once: to take single ones out of a map that
 * is always full costs more than a click does.
 */
export class ClickTrails {
  #current: Trails = new Map();
  #before: Trails = new Map();
  /** When the current stretch began. */
  #since: Instant = Number.NaN;

  constructor(private readonly messagesMax: number) {}

  get messageCount(): number {
    return this.#current.size + this.#before.size;
  }

  /** Adds a click and returns when each different link of the message was followed last, this one included. */
  add(message: number, link: number, now: Instant): Instant[] {
    this.#turnOver(now);
    const known = this.#current.get(message) ?? this.#before.get(message) ?? [];
    const clicks = known.filter((click) => click.link !== link && isRecent(click.at, now));
    clicks.push({ link, at: now });
    this.#current.set(message, clicks);
    return clicks.map(({ at }) => at);
  }

  /** A stretch is over when it is full, or began so long ago that not all of it counts. What lies before the last one is forgotten. */
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

/** An instant still to come is the clock's that was set back: as good as forgotten. */
const isRecent = (at: Instant, now: Instant): boolean => at <= now && now - at <= SWEEP_OF_ALL_WITHIN_MS;
