/**
 * One relay as the sender uses it: its connections, what was learned of how many it takes and how long it keeps them, how
 * hard it may be pushed, and what is wrong with it.
 */
import type { Clock, Instant } from "#core/clock.ts";
import type { Stage } from "#core/smtp-reply.ts";
import type { Log } from "#log.ts";
import { mayServeMore, onEnded, unknownLife } from "./connection-life.ts";
import { bulkShare, connectionsAllowed, initialRoom, onRefused, onTaken } from "./connection-room.ts";
import { relayLabel, type RelayAddress } from "./relay-address.ts";
import { onTroubleOver, onTroubleSeen, type LastNews, type News } from "./relay-news.ts";
import { smtpSession, type SmtpSession } from "./smtp-session.ts";
import { areTooMany, countBad, countGood, emptyTally, type Measure } from "./tally.ts";
import { allowed, initialThrottle, onAccepted, onTrouble, type RelayTrouble } from "./throttle.ts";

/**
 * Transactional mail and confirmations never wait behind a campaign: one connection is kept for them, and they
 * may have all of them, as those of campaigns come free.
 */
export type Lane = "bulk" | "prompt";

/** What went wrong, at which stage; `detail` is for the log and holds no address. */
export type Trouble = { readonly kind: RelayTrouble; readonly stage: Stage; readonly detail: string };

/** A connection taken for one message; give it back whatever happened. */
export type Lease = {
  readonly session: SmtpSession;
  readonly reused: boolean;
  readonly relay: Relay;
  readonly lane: Lane;
  /** Somebody waits for its message: its trouble is kept from the campaigns where it may be that message's own. */
  readonly isAwaited: boolean;
};

/** No connection now. `until`: when to ask again; null: when one in use comes back. `isHeld`: another relay may have one. */
export type Wait = { readonly until: Instant | null; readonly isHeld: boolean };

/** Where somebody waits, a relay in trouble is asked again after a short pause, which doubles. */
const PROMPT_PAUSE_MS = 250;
const PROMPT_PAUSE_MAX_MS = 2_000;
const NO_PAUSE = { pausedUntil: 0, pauses: 0 };

/** A connection lost before the dot costs its message an attempt: half of the last fifty, and the relay is taken for down. */
const LOST_BEFORE_DOT: Measure = { most: 25, among: 50 };

/**
 * A connection lost at the dot leaves its message UNCERTAIN for good, so little is borne. Such a relay costs at the most these
 * five of two hundred, the dots that stood on its other connections at that moment (fewer than `maxConnections`), and then
 * one message after each pause (throttle.ts): about a hundred in a first day, whatever the list's length. One that loses
 * fewer than these goes on: at the most one message in forty.
 */
const LOST_AT_DOT: Measure = { most: 5, among: 200 };

/** An idle connection is kept this long for the next message. */
const IDLE_MS = 5_000;
/** A connection that ended after it stood idle for longer ended for that. */
const NOT_IDLE_MS = 1_000;

export class Relay {
  readonly label: string;
  #trouble: string | null = null;
  #news: LastNews = null;
  #throttle;
  #room;
  #takesTold: number | null = null;
  /** The connection that finds out whether it takes one more. */
  #tried: SmtpSession | null = null;
  #life = unknownLife;
  #lostBeforeDot = emptyTally;
  #lostAtDot = emptyTally;
  /** Until when mail somebody waits for leaves it alone, and how often in a row it had to. */
  #prompt = NO_PAUSE;
  readonly #used: Record<Lane, number> = { bulk: 0, prompt: 0 };
  #idle: { session: SmtpSession; since: number }[] = [];
  /** Connections we said QUIT to: at the relay they still stand. */
  #closing = 0;
  /** The earliest instant the next message may start, where the relay wants them spaced. */
  #nextStartAt: Instant = 0;
  #reaper: (() => void) | null = null;

  constructor(
    private readonly address: RelayAddress,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.label = relayLabel(address);
    this.#throttle = initialThrottle(address.maxConnections);
    this.#room = initialRoom(address.maxConnections);
  }

  /** Campaigns must leave it alone for now. */
  get isHeld(): boolean {
    return allowed(this.#throttle, this.clock.now()).pausedUntil !== null;
  }

  /** What is wrong with it, in words; null: nothing. */
  get trouble(): string | null {
    return this.#trouble;
  }

  leaseBulk(): Lease | Wait {
    const now = this.clock.now();
    const may = allowed(this.#throttle, now);
    if (may.pausedUntil !== null) return { until: may.pausedUntil, isHeld: true };
    const waitMs = this.#nextStartAt - now;
    // A longer wait than the spacing comes from a clock that was set back, and is not kept.
    if (waitMs > 0 && waitMs <= may.spacingMs) return { until: this.#nextStartAt, isHeld: false };
    if (this.#used.bulk >= this.#bulkAllowed(may.connections, now) || !this.#hasRoom(now))
      return { until: null, isHeld: false };
    this.#nextStartAt = now + may.spacingMs;
    return this.#take({ lane: "bulk", isAwaited: false });
  }

  leasePrompt(isAwaited: boolean): Lease | Wait {
    const now = this.clock.now();
    const from = this.#promptFrom(isAwaited, now);
    if (from !== null) return { until: from, isHeld: true };
    if (!this.#hasRoom(now)) return { until: null, isHeld: false };
    return this.#take({ lane: "prompt", isAwaited });
  }

  /** Whether a campaign's connection may go on with the next message at once. */
  mayGoOn({ session, lane }: Lease): boolean {
    if (lane !== "bulk" || !session.usable) return false;
    const now = this.clock.now();
    const may = allowed(this.#throttle, now);
    return (
      may.pausedUntil === null &&
      may.spacingMs === 0 &&
      this.#used.bulk <= this.#bulkAllowed(may.connections, now) &&
      this.#connections <= connectionsAllowed(this.#room, now) &&
      mayServeMore(this.#life, session.served + 1, now)
    );
  }

  /** Resolves when its place is free for another: at once, or when the relay has answered our QUIT. */
  async giveBack({ session, lane }: Lease): Promise<void> {
    this.#used[lane]--;
    if (!session.usable) {
      this.#learnLife(session);
      session.destroy();
      return;
    }
    const now = this.clock.now();
    const isOneTooMany = this.#connections >= connectionsAllowed(this.#room, now);
    if (isOneTooMany || !mayServeMore(this.#life, session.served, now)) return await this.#quit(session);
    this.#idle.push({ session, since: this.clock.monotonicMs() });
    this.#reaper ??= this.clock.setTimer(IDLE_MS, () => this.#reap());
  }

  accepted({ session, isAwaited }: Lease): void {
    if (isAwaited) this.#prompt = NO_PAUSE;
    const now = this.clock.now();
    this.#throttle = onAccepted(this.#throttle, now);
    if (session === this.#tried) {
      this.#room = onTaken(this.#room, now);
      this.#tried = null;
    }
    this.#lostBeforeDot = countGood(this.#lostBeforeDot);
    this.#lostAtDot = countGood(this.#lostAtDot);
    this.#tellRoom();
    // What is accepted during a hold was on its way before, and says nothing.
    if (this.#trouble === null || this.isHeld || this.#throttle.distrust !== null) return;
    this.#trouble = null;
    this.#tell(onTroubleOver(this.#news));
  }

  inTrouble({ session, isAwaited }: Lease, trouble: Trouble): void {
    if (this.#isOneTooMany(session, trouble)) return;
    if (isAwaited) {
      this.#prompt = promptPause(this.#prompt, this.clock.now());
      // What one request chose (its sender, its content) may be refused without anything being wrong with a campaign.
      if (trouble.kind === "config" || trouble.kind === "block") return;
    }
    this.#trip(trouble.kind, trouble.detail);
  }

  /** A message ended with its connection, without a reply: before its dot, or at it. */
  lost({ isAwaited }: Lease, isAtDot: boolean): void {
    // There the attempts are short, and it may have been us who cut the connection.
    if (isAwaited) return;
    const isOnTrial = this.#throttle.pauses > 0 || this.#throttle.distrust !== null;
    if (isAtDot) {
      this.#lostAtDot = countBad(this.#lostAtDot, LOST_AT_DOT);
      if (isOnTrial || areTooMany(this.#lostAtDot, LOST_AT_DOT))
        this.#trip(
          "losing",
          "it closes its connections at the dot, and nobody knows what became of the messages",
        );
      return;
    }
    this.#lostBeforeDot = countBad(this.#lostBeforeDot, LOST_BEFORE_DOT);
    if (isOnTrial || areTooMany(this.#lostBeforeDot, LOST_BEFORE_DOT))
      this.#trip("down", "it closes its connections in the middle of messages");
  }

  close(): void {
    this.#reaper?.();
    for (const { session } of this.#idle) void session.close();
  }

  /** All that stand, are being opened, or are being closed. */
  get #connections(): number {
    return this.#used.bulk + this.#used.prompt + this.#idle.length + this.#closing;
  }

  /** Whether a message may start: on an idle connection, or on one more. */
  #hasRoom(now: Instant): boolean {
    return this.#idle.length > 0 || this.#connections < connectionsAllowed(this.#room, now);
  }

  #bulkAllowed(connections: number, now: Instant): number {
    return Math.min(connections, bulkShare(connectionsAllowed(this.#room, now)));
  }

  #take(use: Pick<Lease, "lane" | "isAwaited">): Lease {
    const lease = { relay: this, ...use };
    this.#used[use.lane]++;
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      if (kept.session.usable) return { session: kept.session, reused: true, ...lease };
      if (this.clock.monotonicMs() - kept.since < NOT_IDLE_MS) this.#learnLife(kept.session);
      kept.session.destroy();
    }
    const session = smtpSession(this.address, this.clock);
    if (this.#connections > (this.#room.takes ?? Infinity)) this.#tried = session;
    return { session, reused: false, ...lease };
  }

  async #quit(session: SmtpSession): Promise<void> {
    this.#closing++;
    await session.close();
    this.#closing--;
  }

  #reap(): void {
    this.#reaper = null;
    const oldest = this.clock.monotonicMs() - IDLE_MS;
    for (const { session } of this.#idle.filter(({ since }) => since <= oldest)) void this.#quit(session);
    this.#idle = this.#idle.filter(({ since }) => since > oldest);
    if (this.#idle.length > 0) this.#reaper = this.clock.setTimer(IDLE_MS, () => this.#reap());
  }

  #learnLife({ endedAfter }: SmtpSession): void {
    if (endedAfter !== null) this.#life = onEnded(this.#life, endedAfter, this.clock.now());
  }

  /** When the prompt lane may use it; null: now. It may well answer somebody who asks now and then. */
  #promptFrom(isAwaited: boolean, now: Instant): Instant | null {
    if (!isAwaited) return allowed(this.#throttle, now).pausedUntil;
    const { pausedUntil } = this.#prompt;
    return pausedUntil > now && pausedUntil - now <= PROMPT_PAUSE_MAX_MS ? pausedUntil : null;
  }

  /**
   * Refused at the door while others of ours stand or are being opened: it takes fewer, and nothing else is wrong. When the
   * last one is refused too, it was not about their number.
   */
  #isOneTooMany(session: SmtpSession, { kind, stage }: Trouble): boolean {
    if (kind !== "rate" || (stage !== "CONNECT" && stage !== "AUTH")) return false;
    const others = this.#connections - 1;
    this.#room =
      others > 0
        ? onRefused(this.#room, { others, wasTry: session === this.#tried }, this.clock.now())
        : initialRoom(this.address.maxConnections);
    return others > 0;
  }

  #trip(kind: RelayTrouble, detail: string): void {
    const now = this.clock.now();
    this.#throttle = onTrouble(this.#throttle, kind, now);
    this.#trouble = `${kind === "losing" ? "down" : kind}: ${detail}`;
    this.#tell(onTroubleSeen(this.#news, kind, now), detail);
  }

  #tell({ last, line }: News, detail?: string): void {
    this.#news = last;
    if (line === null) return;
    if (detail === undefined) this.log.info(line, { relay: this.label });
    else this.log.warn(line, { relay: this.label, detail });
  }

  /** Only once a message was taken: while several are being refused, the number still falls. */
  #tellRoom(): void {
    const { takes } = this.#room;
    if (takes === this.#takesTold) return;
    this.#takesTold = takes;
    const connections = takes ?? this.#room.most;
    this.log.info("relay takes so many connections", { relay: this.label, connections });
  }
}

/** Trouble during a pause was on its way before it began and changes nothing. */
function promptPause(state: typeof NO_PAUSE, now: Instant): typeof NO_PAUSE {
  if (state.pausedUntil > now) return state;
  const pauseMs = Math.min(PROMPT_PAUSE_MAX_MS, PROMPT_PAUSE_MS * 2 ** state.pauses);
  return { pausedUntil: now + pauseMs, pauses: Math.min(state.pauses + 1, 10) };
}
