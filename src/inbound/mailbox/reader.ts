import type { Clock } from "#core/time/clock.ts";
import type { Random } from "#core/random.ts";
import { errorText } from "#core/errors/thrown.ts";
import { present } from "#core/present.ts";
import type { Taking } from "#inbound/taking.ts";
import type { Log } from "#log.ts";
import { mailboxLabel, type MailboxAddress } from "#mail/mailbox/mailbox-address.ts";
import {
  MailboxTrouble,
  type FoundMail,
  type MailboxSession,
  type RefusedMail,
} from "#mail/mailbox/mailbox.ts";
import type { OpenMailbox } from "#mail/mailbox/open-mailbox.ts";
import { RefusedForNow } from "#work/pool.ts";
import type { Taken } from "#bounces/incoming.ts";
import { EndingMails } from "./ending-mails.ts";
import { pauseAfter, type Failure } from "./pauses.ts";

/** How often to look at a mailbox that cannot announce new mail. */
const POLL_MS = 60_000;
/** Between sessions that end early: not too many logins. */
const GO_ON_MS = 5_000;

/** A session that lasted this long counts as a success. */
const STEADY_MS = 60_000;
/** How long a mail that is being read has when the reader is stopped. A server may hang for hours. */
const STOP_MS = 5_000;

export type ReaderParts = {
  readonly bounces: Pick<Taking, "takeMail">;
  readonly openMailbox: OpenMailbox;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

/**
 * Reads a mailbox of one or more workspaces until it is stopped, and opens it again after each failure, with
 * growing pauses. A mail is filed or left only after `takeMail` has resolved; if it rejects, the mail stays
 * as it is. Trouble is logged once when it begins, and once when it is over. A single mail that the server
 * does not hand out, or that takes too much memory now, is passed, and tried again at the next look: a
 * stranger may have written it. One at which sessions end is passed for longer (`EndingMails`).
 */
export class MailboxReader {
  readonly #stopping = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #isStopped = false;
  #failures = 0;
  /** Grows with each address under which the mailbox could not be opened. */
  #turn = 0;
  /** The trouble that was logged, by address. */
  readonly #logged = new Map<MailboxAddress, string>();
  /** The workspaces of the last look. */
  #readFor: readonly string[] = [];
  /** At the last look some mail was passed. */
  #hasPassed = false;
  /** So many mails a session takes at most: fewer where sessions are cut off before all was read. */
  #takesAtMost = Infinity;
  /** How many this session has taken. */
  #taken = 0;
  /** The mail that is being read or filed. */
  #current: FoundMail | null = null;
  /** Ends this session at once. */
  #cutting = new AbortController();
  readonly #ending = new EndingMails();

  constructor(
    /** May be changed while it is read. */
    public workspaceIds: readonly string[],
    /** Of one mailbox, for one reader: if it cannot be opened under one of them, the next is tried. */
    private readonly addresses: readonly MailboxAddress[],
    private readonly parts: ReaderParts,
  ) {
    this.#running = this.#run();
  }

  /** A mail that is being read is finished, if its server answers within seconds, and the mailbox is closed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.resolve();
    const cancel = this.parts.clock.setTimer(STOP_MS, () => this.#cutting.abort());
    await this.#running.finally(cancel);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const pauseMs = await this.#session();
      if (!this.#isStopped) await this.#pause(pauseMs);
    }
  }

  /** Opens the mailbox and reads for as long as possible. Returns how long to wait afterwards. */
  async #session(): Promise<number> {
    const { openMailbox, clock } = this.parts;
    const openedMs = clock.monotonicMs();
    let session: MailboxSession | null = null;
    this.#cutting = new AbortController();
    this.#taken = 0;
    this.#current = null;
    try {
      session = await openMailbox(this.#address, this.#cutting.signal);
      const isAllRead = await this.#readOn(session);
      this.#failures = 0;
      return isAllRead ? POLL_MS : GO_ON_MS;
    } catch (error) {
      const pauseMs = this.#isStopped ? 0 : this.#pauseFor(error, clock.monotonicMs() - openedMs);
      if (session === null) this.#turn++;
      else if (error instanceof MailboxTrouble && !this.#isStopped) this.#wasCutOff(session);
      return pauseMs;
    } finally {
      await session?.close();
    }
  }

  /** Returns whether all was read. */
  async #readOn(session: MailboxSession): Promise<boolean> {
    for (;;) {
      const isAllRead = await this.#readAll(session);
      this.#wentWell();
      if (this.#isStopped || session.wait === null) return isAllRead;
      await Promise.race([session.wait(), this.#stopping.promise]);
    }
  }

  /**
   * Returns whether all was read. By POP3 a mail is deleted only when its session ends in order. So a server that ends
   * long sessions would show the same mails again and again: then each session takes some mails only, and the next
   * one more.
   */
  async #readAll(session: MailboxSession): Promise<boolean> {
    let hasPassed = false;
    // What was another workspace's may be that of a new one.
    if (this.#readFor !== this.workspaceIds) session.unskip();
    this.#readFor = this.workspaceIds;
    for (let mails = await session.list(); mails.length > 0; mails = await session.list()) {
      for (const mail of mails) {
        if (this.#isStopped) return true;
        if (this.#taken >= this.#takesAtMost) {
          this.#takesAtMost *= 2;
          return false;
        }
        const refusal = await this.#handle(session, mail);
        if (refusal === null) continue;
        session.pass(mail);
        if (!this.#hasPassed) this.parts.log.warn("a mail cannot be read", { ...this.#about, why: refusal });
        this.#hasPassed = hasPassed = true;
      }
    }
    this.#hasPassed = hasPassed;
    this.#takesAtMost = Infinity;
    return true;
  }

  /** Reads a mail and does with it what its effect was. Returns why it cannot be read now; null if it can. */
  async #handle(session: MailboxSession, mail: FoundMail): Promise<string | null> {
    if (this.#ending.isAvoided(mail, this.parts.clock.monotonicMs()))
      return "The connection ended at it more than once. It is tried again.";
    this.#current = mail;
    const raw = await session.read(mail);
    const taken = raw === null || "refusal" in raw ? raw : await this.#take(raw);
    if (taken === "elsewhere") session.skip(mail);
    else if (typeof taken === "string")
      await (taken === "ordinary" ? session.leave(mail) : session.file(mail));
    this.#current = null;
    this.#ending.hasPassed(mail);
    if (typeof taken === "string") this.#taken++;
    return typeof taken === "object" ? (taken?.refusal ?? null) : null;
  }

  #wasCutOff(session: MailboxSession): void {
    if (this.#current !== null) this.#ending.endedAt(this.#current, this.parts.clock.monotonicMs());
    if (session.wait === null) this.#takesAtMost = Math.max(1, Math.floor(this.#taken / 2));
  }

  /** The pool's own words are about a letter that is sent. */
  async #take(raw: Uint8Array): Promise<Taken | RefusedMail> {
    const { workspaceIds, parts } = this;
    try {
      return await parts.bounces.takeMail({ raw, way: "mailbox", envelopeRecipients: [], workspaceIds });
    } catch (error) {
      if (!(error instanceof RefusedForNow)) throw error;
      return { refusal: "Reading it takes too much memory now. It is tried again." };
    }
  }

  get #address(): MailboxAddress {
    return present(this.addresses[this.#turn % this.addresses.length], "address of the mailbox");
  }

  get #about() {
    return { workspaceIds: this.workspaceIds.join(" "), mailbox: mailboxLabel(this.#address) };
  }

  #wentWell(): void {
    if (this.#logged.size > 0) this.parts.log.info("the mailbox is read again", this.#about);
    this.#logged.clear();
  }

  /** Servers end connections after a while: that is normal and no failure. */
  #pauseFor(error: unknown, livedMs: number): number {
    const { log, random } = this.parts;
    const failure: Failure = error instanceof MailboxTrouble ? error.kind : "own";
    const isUsual = failure === "connection" && livedMs >= STEADY_MS;
    this.#failures = livedMs >= STEADY_MS ? 1 : this.#failures + 1;
    const why = errorText(error);
    if (!isUsual && why !== this.#logged.get(this.#address))
      log.warn("the mailbox cannot be read", { ...this.#about, why });
    if (!isUsual) this.#logged.set(this.#address, why);
    return pauseAfter(failure, this.#failures, random.fraction());
  }

  #pause(pauseMs: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const cancel = this.parts.clock.setTimer(pauseMs, over.resolve);
    return Promise.race([over.promise, this.#stopping.promise]).finally(cancel);
  }
}
