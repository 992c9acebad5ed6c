import type { Instant } from "#core/clock.ts";
import { SWEEP_OF_ALL_WITHIN_MS } from "./suspicion.ts";

/**
 * Which links of which message were followed in the last seconds, as `isSweep` needs it. In memory only, for
 * `messagesMax` messages at most, the ones clicked last: what is forgotten by that or by a restart is not suspected.
 */
export class ClickTrails {
  /** By message, the one clicked last at the end; in it by link, when it was followed last. */
  readonly #trails = new Map<number, Map<number, Instant>>();

  constructor(private readonly messagesMax: number) {}

  get messageCount(): number {
    return this.#trails.size;
  }

  /** Adds a click and returns when each different link of the message was followed last, this one included. */
  add(message: number, link: number, now: Instant): Instant[] {
    const known = this.#trails.get(message) ?? [];
    const trail = new Map([...known].filter(([, at]) => isRecent(at, now))).set(link, now);
    this.#trails.delete(message);
    this.#trails.set(message, trail);
    this.#forget(now);
    return [...trail.values()];
  }

  /** The oldest come first, so it stops at the first that is to be kept. */
  #forget(now: Instant): void {
    for (const [message, trail] of this.#trails) {
      const isKept = [...trail.values()].some((at) => isRecent(at, now));
      if (isKept && this.#trails.size <= this.messagesMax) return;
      this.#trails.delete(message);
    }
  }
}

/** An instant still to come is the clock's that was set back: as good as forgotten. */
const isRecent = (at: Instant, now: Instant): boolean => at <= now && now - at <= SWEEP_OF_ALL_WITHIN_MS;
