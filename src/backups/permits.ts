import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";

/** For this long after the password was given, the session may start to download the backup. */
const PERMIT_MS = 5 * MINUTE_MS;

/**
 * Which session may download which backup, in memory: a restart forgets it. A session has one permit at a time, so
 * there are never more of them than sessions.
 */
export class Permits {
  readonly #bySession = new Map<string, { readonly backupId: string; readonly until: Instant }>();

  /** @returns when it ends */
  grant(sessionId: string, backupId: string, now: Instant): Instant {
    for (const [session, { until }] of this.#bySession) if (until <= now) this.#bySession.delete(session);
    const until = now + PERMIT_MS;
    this.#bySession.set(sessionId, { backupId, until });
    return until;
  }

  allows(sessionId: string, backupId: string, now: Instant): boolean {
    const permit = this.#bySession.get(sessionId);
    return permit !== undefined && permit.backupId === backupId && now < permit.until;
  }
}
