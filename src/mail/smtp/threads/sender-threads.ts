import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import type { NewSession } from "#mail/smtp/session/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { failedThreads } from "#mail/threads/failed-threads.ts";
import { SenderThread } from "./sender-thread.ts";

const WORDS = {
  one: "a sender thread ended",
  tooMany: "sender threads end again and again: mail goes out from the main thread until the next start",
};

/**
 * Sessions in up to `most` threads; a new session goes to the thread that has the fewest. A thread is started for
 * its first session, and ended some seconds after its last one. If threads fail again and again, sessions run on
 * the main thread from then on, until the process ends.
 */
export function senderThreads(
  most: number,
  { startThread, clock, log }: { startThread(): Worker; readonly clock: Clock; readonly log: Log },
): NewSession {
  const failed = failedThreads({ clock, log }, WORDS);
  let threads: SenderThread[] = [];

  const start = (): SenderThread => {
    const thread = new SenderThread({
      worker: startThread(),
      clock,
      ended(reason, sessions) {
        threads = threads.filter((other) => other !== thread);
        if (reason !== null) failed.add(reason, { connections: sessions });
      },
    });
    threads.push(thread);
    return thread;
  };

  const freest = (): SenderThread => {
    const free = threads.reduce<SenderThread | null>(
      (best, thread) => (best === null || thread.sessions < best.sessions ? thread : best),
      null,
    );
    return free === null || (free.sessions > 0 && threads.length < most) ? start() : free;
  };

  return (relay) => (failed.areGivenUp ? smtpSession(relay, clock) : freest().session(relay));
}
