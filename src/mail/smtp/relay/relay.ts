/**
 * One relay as the sender uses it. It lends out connections (`relay-connections.ts`), one message each, and
 * learns from what happens to the messages: how fast the relay wants mail, and what is wrong with it.
 */
import type { Clock, Instant } from "#core/time/clock.ts";
import type { Share } from "#core/share.ts";
import type { Stage } from "#core/smtp-reply.ts";
import type { Log } from "#log.ts";
import { LostConnections } from "./lost-connections.ts";
import { relayLabel, type RelayAddress } from "./relay-address.ts";
import { RelayConnections } from "./relay-connections.ts";
import { onTroubleOver, onTroubleSeen, type LastNews, type News } from "./relay-news.ts";
import { askAgainAt, noPause, onTroubleMet } from "./short-pause.ts";
import { RefusedSenders } from "./refused-senders.ts";
import type { NewSession, SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { Silence } from "./silence.ts";
import { allowed, initialThrottle, isOnTrial, onAccepted, onTrouble, type RelayTrouble } from "./throttle.ts";
import type { Urgency } from "./urgency.ts";

/** What went wrong, at which stage; `detail` is for the log and holds no address. */
export type Trouble = {
  readonly kind: RelayTrouble;
  readonly stage: Stage;
  readonly detail: string;
  /** We cut the connection ourselves, because the message could not wait. */
  readonly isOurLimit?: true;
};

/** A connection taken for one message; give it back whatever happened. */
export type Lease = {
  readonly session: SmtpSession;
  readonly reused: boolean;
  readonly relay: Relay;
  readonly urgency: Urgency;
  /** Whose message it is, as the relay sees it (`src/deliveries/way-out.ts`). */
  readonly sender: string;
  /** How many messages the relay had accepted before. */
  readonly acceptedBefore: number;
};

/** How a connection was lost with a message on it. `isOurLimit` and `detail`: as in `Trouble`. */
export type Loss = { readonly isAtDot: boolean; readonly isOurLimit: boolean; readonly detail: string };

/**
 * There is no connection now. `until`: when to ask again, unless a connection in use is given back before; null: not
 * before that. `mayUseNext`: this relay is out of use, for everybody or for this sender, or in doubt, so the next one
 * may be used.
 */
export type Wait = { readonly until: Instant | null; readonly mayUseNext: boolean };

export class Relay {
  readonly label: string;
  #trouble: { readonly kind: RelayTrouble; readonly words: string } | null = null;
  #news: LastNews = null;
  #throttle;
  readonly #lost = new LostConnections();
  readonly #senders = new RefusedSenders();
  #acceptedInAll = 0;
  /** Awaited mail knows only this pause: the hold of `#throttle` is for all other mail. */
  readonly #shortPause = { prompt: noPause, awaited: noPause };
  readonly #connections: RelayConnections;
  readonly #silence: Silence;
  /** The earliest instant at which the next message may start, if the relay limits our speed. */
  #nextStartAt: Instant = 0;

  constructor(
    private readonly address: RelayAddress,
    private readonly clock: Clock,
    private readonly log: Log,
    newSession: NewSession,
    /** This process's share of its connections. */
    share: Share,
    /** No other relay could take its mail. */
    readonly isAlone: boolean,
  ) {
    this.label = relayLabel(address);
    this.#throttle = initialThrottle(address.maxConnections);
    this.#silence = new Silence(clock);
    this.#connections = new RelayConnections(address, clock, log, newSession, share);
  }

  get host(): string {
    return this.address.host;
  }

  /** The relay is in trouble, and only awaited mail may use it. */
  get isHeld(): boolean {
    return allowed(this.#throttle, this.clock.now()).pausedUntil !== null;
  }

  /** It is held, or it refuses the sender. */
  isHeldFor(sender: string): boolean {
    return this.isHeld || this.#senders.restOf(sender, this.clock.now()) !== null;
  }

  /**
   * The relay was in trouble, and a message is on its way that shows whether it still is; or it has not answered for a
   * while. Both may take minutes, so the next relay may be used meanwhile.
   */
  get isInDoubt(): boolean {
    return (isOnTrial(this.#throttle) && this.underWay > 0) || this.#silence.isSilent;
  }

  /** How many of its connections have a message. */
  get underWay(): number {
    return this.#connections.underWay;
  }

  /** What is wrong with the relay, in words; null: nothing. */
  get trouble(): string | null {
    if (this.#trouble !== null) return this.#trouble.words;
    const silence = this.#silence.words;
    return silence === null ? null : `silent: ${silence}`;
  }

  /** What keeps the sender's mail from the relay, in words; null: nothing. */
  troubleFor(sender: string): string | null {
    return this.trouble ?? this.#senders.wordsOn(sender);
  }

  /** It only wants mail more slowly, and takes it again by itself. */
  get isSlowing(): boolean {
    return this.#trouble?.kind === "rate";
  }

  /** Whether connections to the relay are open or being opened. */
  get isInUse(): boolean {
    return this.#connections.open > 0;
  }

  lease(urgency: Urgency, sender: string): Lease | Wait {
    const now = this.clock.now();
    const rest = urgency === "awaited" ? null : this.#senders.restOf(sender, now);
    if (rest !== null) return { ...rest, mayUseNext: true };
    const wait = urgency === "bulk" ? this.#waitOfBulk(now) : this.#waitOfUrgent(urgency, now);
    return wait ?? this.#take(urgency, sender);
  }

  /** Whether the next bulk message may follow on this connection at once, as if it were given back and lent again. */
  mayGoOn({ session, urgency, sender }: Lease): boolean {
    if (urgency !== "bulk" || !session.usable || this.#senders.wordsOn(sender) !== null) return false;
    const now = this.clock.now();
    const may = allowed(this.#throttle, now);
    return (
      may.pausedUntil === null &&
      may.spacingMs === 0 &&
      this.#connections.mayGoOn(session, may.connections, now)
    );
  }

  /**
   * Resolves when another connection may take its place: at once, or when the relay has answered our QUIT.
   */
  async giveBack({ session, urgency, sender }: Lease): Promise<void> {
    this.#senders.givenBack(sender, session);
    await this.#connections.giveBack(session, urgency);
  }

  /** A message begins to wait for the relay's answer. */
  asked({ urgency }: Lease): void {
    if (urgency === "bulk") this.#silence.asked();
  }

  /** The same message got its answer, or its connection ended without one. */
  ended({ urgency }: Lease, isAnswer: boolean): void {
    if (urgency === "bulk") this.#silence.ended(isAnswer);
  }

  /** The relay accepted a message. */
  accepted({ session, urgency, sender }: Lease): void {
    if (urgency !== "bulk") this.#shortPause[urgency] = noPause;
    this.#acceptedInAll++;
    const now = this.clock.now();
    this.#throttle = onAccepted(this.#throttle, now);
    if (this.#senders.accepted(sender, now))
      this.log.info("relay takes a sender again", { relay: this.label, sender });
    this.#connections.accepted(session, now);
    this.#lost.accepted();
    // A message accepted during a hold was sent before the hold, so it says nothing about the relay now.
    if (this.#news === null || this.isHeld || this.#throttle.distrust !== null) return;
    // It took a request's or a confirmation's, and answers no campaign still.
    if (this.#trouble === null && this.#silence.words !== null) return;
    this.#trouble = null;
    this.#tell(onTroubleOver(this.#news));
  }

  /** The relay refused a message for a reason that concerns all mail, or could not be reached. */
  inTrouble(lease: Lease, trouble: Trouble): void {
    const { session, urgency, sender } = lease;
    const { kind, stage, detail } = trouble;
    const isBeforeMail = stage === "CONNECT" || stage === "AUTH";
    if (kind === "rate" && isBeforeMail && this.#connections.refused(session)) return;
    const isTooEarly = trouble.isOurLimit === true && this.#isTooEarly(lease);
    if (urgency === "awaited" || (urgency === "prompt" && isTooEarly))
      this.#shortPause[urgency] = onTroubleMet(this.#shortPause[urgency], this.clock.now());
    // At MAIL the relay knows the sender, and no recipient yet.
    const isRefusal = kind === "config" || kind === "block" || (kind === "down" && stage === "MAIL");
    // Before MAIL the relay does not know whose mail it will be: what it refuses there, it refuses us all.
    const isOfMessage = isRefusal && !isBeforeMail;
    // A request chooses its own sender and content. If it fails by them, that says nothing about campaigns.
    if (isTooEarly || (urgency === "awaited" && isOfMessage)) return;
    if (isOfMessage && this.#pauseSender(sender, trouble)) return;
    this.#trip(kind, detail);
  }

  /** The connection was lost with a message on it, before its dot or at it, and no reply came. */
  lost(lease: Lease, { isAtDot, isOurLimit, detail }: Loss): void {
    if (lease.urgency === "awaited" || (isOurLimit && this.#isTooEarly(lease))) return;
    const wasSilent = lease.urgency === "bulk" && this.#silence.isProvenByLoss();
    const areTooMany = isAtDot ? this.#lost.atDot() : this.#lost.beforeDot();
    if (!areTooMany && !wasSilent && !isOnTrial(this.#throttle)) return;
    if (isAtDot)
      this.#trip(
        "losing",
        `connections end at the dot, and nobody knows what became of the messages: ${detail}`,
      );
    else this.#trip("down", `connections end in the middle of messages: ${detail}`);
  }

  /** Awaited mail got no answer before its dot: for a moment, it goes to another relay, if there is one. */
  passOver(): void {
    if (this.isAlone) return;
    this.#shortPause.awaited = onTroubleMet(this.#shortPause.awaited, this.clock.now());
  }

  /**
   * We cut this message's connection: is that too early to blame the relay? A request's time is always too short. A
   * confirmation's is too, if the relay accepted other mail in it, because then it is slow, but works.
   */
  #isTooEarly({ urgency, acceptedBefore }: Lease): boolean {
    return urgency === "awaited" || this.#acceptedInAll > acceptedBefore;
  }

  close(): void {
    this.#connections.close();
  }

  /** Gives the sender a pause if the relay refuses only this one, and others go on. False: it refuses us all. */
  #pauseSender(sender: string, { kind, stage, detail }: Trouble): boolean {
    const isNew = this.#senders.wordsOn(sender) === null;
    const refusal = { kind, words: `${kind}: ${detail}`, isTaken: stage !== "MAIL" };
    if (!this.#senders.refused(sender, refusal, this.clock.now())) return false;
    if (isNew) this.log.warn("relay refusing a sender", { relay: this.label, sender, detail });
    return true;
  }

  #waitOfBulk(now: Instant): Wait | null {
    const may = allowed(this.#throttle, now);
    if (may.pausedUntil !== null) return { until: may.pausedUntil, mayUseNext: true };
    const mayUseNext = this.isInDoubt;
    const waitMs = this.#nextStartAt - now;
    // A wait longer than the spacing means the clock was set back, and is ignored.
    if (waitMs > 0 && waitMs <= may.spacingMs) return { until: this.#nextStartAt, mayUseNext };
    if (!this.#connections.hasRoomForBulk(may.connections, now)) {
      this.#tellSilence(now);
      return { until: this.#silence.mayBeginAt, mayUseNext };
    }
    this.#nextStartAt = now + may.spacingMs;
    return null;
  }

  #waitOfUrgent(urgency: Exclude<Urgency, "bulk">, now: Instant): Wait | null {
    const heldUntil = urgency === "awaited" ? null : allowed(this.#throttle, now).pausedUntil;
    const until = heldUntil ?? askAgainAt(this.#shortPause[urgency], now);
    if (until !== null) return { until, mayUseNext: true };
    return this.#connections.hasRoom(now) ? null : { until: null, mayUseNext: this.isInDoubt };
  }

  #take(urgency: Urgency, sender: string): Lease {
    const lent = this.#connections.lend(urgency);
    if (urgency !== "awaited") this.#senders.lent(sender, lent.session);
    return { ...lent, relay: this, urgency, sender, acceptedBefore: this.#acceptedInAll };
  }

  #trip(kind: RelayTrouble, detail: string): void {
    const now = this.clock.now();
    this.#throttle = onTrouble(this.#throttle, kind, now);
    this.#trouble = { kind, words: `${kind === "losing" ? "down" : kind}: ${detail}` };
    this.#tell(onTroubleSeen(this.#news, kind, now), detail);
  }

  /** Only if nothing else is wrong: of a relay in trouble the log has told already. */
  #tellSilence(now: Instant): void {
    const { words } = this.#silence;
    if (words !== null && this.#news === null) this.#tell(onTroubleSeen(null, "silent", now), words);
  }

  #tell({ last, line }: News, detail?: string): void {
    this.#news = last;
    if (line === null) return;
    if (detail === undefined) this.log.info(line, { relay: this.label });
    else this.log.warn(line, { relay: this.label, detail });
  }
}
