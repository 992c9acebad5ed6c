import type { Instant } from "#core/clock.ts";
import { SWEEP_OF_ALL_WITHIN_MS } from "./suspicion.ts";

/**
 * Which links of which message were followed in the last seconds, as `isSweep` needs it. In memory only, for
 * `messagesMax` messages at most, the ones clicked last: what is forgotten by that or by a restart is not suspected.
 */
export class ClickTrails {
  /** By message, the one clicked last at the end. */
  readonly #trails = new Map<number, Trail>();

  constructor(private readonly messagesMax: number) {}

  get messageCount(): number {
    return this.#trails.size;
  }

  /** Adds a click and returns when each different link of the message was followed last, this one included. */
  add(message: number, link: number, now: Instant): Instant[] {
    const links = this.#trails.get(message)?.links ?? new Map<number, Instant>();
    for (const [known, at] of links) if (!isRecent(at, now)) links.delete(known);
    links.set(link, now);
    this.#trails.delete(message);
    this.#trails.set(message, { links, lastAt: now });
    this.#forget(now);
    return [...links.values()];
  }

  /** The oldest come first, so it stops at the first that is to be kept. */
  #forget(now: Instant): void {
    for (const [message, { lastAt }] of this.#trails) {
      if (isRecent(lastAt, now) && this.#trails.size <= this.messagesMax) return;
      this.#trails.delete(message);
    }
  }
}

/** When each link was followed last, and any of them. */
type Trail = { readonly links: Map<number, Instant>; readonly lastAt: Instant };

/** An instant still to come is the clock's that was set back: as good as forgotten. */
const isRecent = (at: Instant, now: Instant): boolean => at <= now && now - at <= SWEEP_OF_ALL_WITHIN_MS;
