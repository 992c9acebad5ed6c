import type { Clock, Instant } from "#core/time/clock.ts";
import { atLeastOne, type Share } from "#core/share.ts";
import type { Log } from "#log.ts";
import type { NewSession, SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { mayServeMore, onEnded, unknownLife } from "./connection-life.ts";
import { bulkShare, connectionsAllowed, initialRoom, onRefused, onTaken } from "./connection-room.ts";
import { IdleConnections } from "./idle-connections.ts";
import { relayLabel, type RelayAddress } from "./relay-address.ts";
import type { Urgency } from "./urgency.ts";

/**
 * Our connections to one relay. Learns how many of them the relay takes (`connection-room.ts`), and how long it keeps
 * them (`connection-life.ts`). What is wrong with the relay is not known here.
 */
export class RelayConnections {
  #room;
  #takesTold: number | null = null;
  /** The connection that tests whether the relay accepts one more. */
  #tried: SmtpSession | null = null;
  /** Connections that were refused and are not given back yet. They do not count as open. */
  readonly #refused = new Set<SmtpSession>();
  #life = unknownLife;
  /** Our connections, numbered in the order of their beginning. */
  readonly #numbers = new WeakMap<SmtpSession, number>();
  #begun = 0;
  readonly #used: Record<Urgency, number> = { bulk: 0, prompt: 0, awaited: 0 };
  readonly #idle: IdleConnections;

  constructor(
    private readonly address: RelayAddress,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly newSession: NewSession,
    /** This process's share of them. */
    private readonly share: Share,
  ) {
    this.#room = initialRoom(address.maxConnections);
    this.#idle = new IdleConnections(clock, (session) => this.#learnLife(session));
  }

  /** How many have a message. */
  get underWay(): number {
    const { bulk, prompt, awaited } = this.#used;
    return bulk + prompt + awaited;
  }

  /** How many are open, being opened or being closed. */
  get open(): number {
    return this.underWay + this.#idle.open;
  }

  /** Whether a message may start: on an idle connection, or on a new one. */
  hasRoom(now: Instant): boolean {
    return this.#idle.kept > 0 || this.open < this.#most(now);
  }

  /** The same for bulk mail, which may use `most` of them. */
  hasRoomForBulk(most: number, now: Instant): boolean {
    return this.#used.bulk < this.#bulkAllowed(most, now) && this.hasRoom(now);
  }

  /** Whether the next bulk message may follow on this connection at once, as if it were given back and lent again. */
  mayGoOn({ served }: SmtpSession, most: number, now: Instant): boolean {
    return (
      this.#used.bulk <= this.#bulkAllowed(most, now) &&
      this.open <= this.#most(now) &&
      mayServeMore(this.#life, served + 1, now)
    );
  }

  lend(urgency: Urgency): { readonly session: SmtpSession; readonly reused: boolean } {
    this.#used[urgency]++;
    const kept = this.#idle.take();
    const session = kept ?? this.#begin();
    if (kept === null && this.open > (this.#room.takes ?? Infinity)) this.#tried = session;
    return { session, reused: kept !== null };
  }

  /** Resolves when another connection may take its place: at once, or when the relay has answered our QUIT. */
  async giveBack(session: SmtpSession, urgency: Urgency): Promise<void> {
    this.#used[urgency]--;
    this.#refused.delete(session);
    if (!session.usable) {
      this.#learnLife(session);
      session.destroy();
      return;
    }
    const now = this.clock.now();
    const isOneTooMany = this.open >= this.#most(now);
    if (isOneTooMany || !mayServeMore(this.#life, session.served, now)) return await this.#idle.quit(session);
    this.#idle.keep(session);
  }

  /** The relay accepted a message on it. */
  accepted(session: SmtpSession, now: Instant): void {
    if (session === this.#tried) {
      this.#room = onTaken(this.#room, now);
      this.#tried = null;
    }
    this.#tellRoom();
  }

  /**
   * The relay refused the connection. True: only because we have others, and nothing else is wrong. If the
   * last of them is refused too, their number was not the reason.
   */
  refused(session: SmtpSession): boolean {
    this.#refused.add(session);
    const others = this.open - this.#refused.size;
    this.#room =
      others > 0
        ? onRefused(this.#room, { others, wasTry: session === this.#tried }, this.clock.now())
        : initialRoom(this.address.maxConnections);
    return others > 0;
  }

  close(): void {
    this.#idle.close();
  }

  /** How many may be open: what the relay accepts, at most our share of the operator's limit. */
  #most(now: Instant): number {
    return Math.min(connectionsAllowed(this.#room, now), atLeastOne(this.share, this.address.maxConnections));
  }

  #bulkAllowed(most: number, now: Instant): number {
    return Math.min(most, bulkShare(this.#most(now)));
  }

  #begin(): SmtpSession {
    const session = this.newSession(this.address);
    this.#numbers.set(session, ++this.#begun);
    return session;
  }

  #learnLife(session: SmtpSession): void {
    const served = session.endedAfter;
    const number = this.#numbers.get(session);
    if (served === null || number === undefined) return;
    this.#life = onEnded(this.#life, { served, number, begun: this.#begun }, this.clock.now());
  }

  /** Only after a message was accepted: while connections are still being refused, the number may fall further. */
  #tellRoom(): void {
    const { takes } = this.#room;
    if (takes === this.#takesTold) return;
    this.#takesTold = takes;
    const connections = takes ?? this.#room.most;
    this.log.info("relay takes so many connections", { relay: relayLabel(this.address), connections });
  }
}
