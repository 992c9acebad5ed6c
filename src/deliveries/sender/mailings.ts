import { present } from "#core/present.ts";
import type { Clock } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Share } from "#core/share.ts";
import type { Log } from "#log.ts";
import type { Letter, LetterOf } from "#deliveries/letter.ts";
import { NotYet, patientLetters, type Unmade } from "#deliveries/letters/patient-letters.ts";
import type { Blocked, WayOut, WaysOut } from "#deliveries/way-out.ts";
import type { DomainLanes } from "#deliveries/domains/domain-lanes.ts";
import type { RampOf } from "#deliveries/ramp.ts";
import { askedOnce } from "./asked-once.ts";
import { Feed } from "./feed.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import { urgencyOf } from "#deliveries/mail-kind.ts";
import type { LedgerStore, MailingUnderWay } from "#deliveries/store.ts";

export type MailingsParts = {
  readonly ledger: LedgerStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a mailing is taken up, and again when its sender was changed meanwhile. */
  readonly letterOf: LetterOf;
  /** Called at every look for work, once for each workspace and sender; so is `rampOf`. */
  readonly wayOutOf: WaysOut["of"];
  readonly rampOf: RampOf;
  readonly lanesOf: DomainLanes["of"];
  /** This process's share of a day's ramp. */
  readonly share: Share;
};

/** A mailing that is being sent. */
export type ActiveMailing = {
  readonly feed: Feed;
  letter: Letter;
  wayOut: WayOut | Blocked;
  /** The number of the turn in which it was served last; 0: none. */
  lastTurn: number;
  /** What is left of the ramp, shared by the campaigns of a workspace. Null: no limit. */
  ramp: { left: number } | null;
  /** The mailing is paused, stopped or over: no further message of it is started. */
  isHalted: boolean;
};

/** A letter, and how it leaves. */
type Leaving = Pick<ActiveMailing, "letter" | "wayOut">;

const leavingOf = async (
  { workspaceId, kind }: MailingUnderWay,
  letter: Letter,
  { wayOutOf }: Asked,
): Promise<Leaving> => ({ letter, wayOut: await wayOutOf(workspaceId, kind, letter.envelopeSender) });

/** Whether only the letter's sender is in the way. A campaign keeps its own: its report says why it waits. */
const hasOldSender = ({ kind }: MailingUnderWay, { wayOut }: Leaving): boolean =>
  (kind === "automation" || kind === "confirmation") && "blocked" in wayOut && wayOut.isOldSender === true;

/** What the caller of an awaited mailing wants to know. */
export type Watching = {
  /** A connection was found for a message. Also called at every retry. */
  onStarted(message: number): void;
  /** Called before the commit of a message's outcome, and again after it. */
  onSettled(): void;
};

/** An awaited mailing's letter, which is stored nowhere else, and the caller that watches it. */
type Awaited = { readonly letter: Letter; readonly watching: Watching };

/** What is asked about each mailing that is under way. Most of it is the same for all mailings of a workspace. */
type Asked = Pick<MailingsParts, "wayOutOf" | "lanesOf"> & {
  /** What is left of a workspace's ramp. Its mailings share the answer, which counts down with each message. */
  readonly rampLeft: (workspaceId: string) => Promise<{ left: number } | null>;
};

/**
 * The same, for one look for work. A thousand campaigns may be under way, and each question reads the settings of the
 * workspace.
 */
const forOneLook = ({ wayOutOf, lanesOf, rampLeft }: Asked): Asked => ({
  wayOutOf: askedOnce(wayOutOf),
  lanesOf: askedOnce(lanesOf),
  rampLeft: askedOnce(rampLeft),
});

/** How many mailings a look takes up in one turn of the event loop: a millisecond or some. */
const TAKEN_UP_AT_ONCE = 16;

/** The mailings in progress: started, dropped, and served in turn, fairly by workspace. */
export class Mailings {
  readonly #all = new Map<number, ActiveMailing>();
  /** Mailings of urgency `awaited`. Their callers stop them, not the ledger. */
  readonly #awaited = new Map<number, Awaited>();
  /** Mailings whose letter is being compiled. That can take seconds, and the others do not wait for it. */
  readonly #preparing = new Set<number>();
  /** What is left of the ramps of workspaces that warm up. */
  readonly #ramps = new Map<string, { left: number }>();
  readonly #asked: Asked;
  readonly #letters: ReturnType<typeof patientLetters>;
  #looking = Promise.resolve();
  /** The look that has not begun. */
  #nextLook: Promise<void> | null = null;
  #turn = 0;

  constructor(
    private readonly parts: MailingsParts,
    /** Called when a mailing whose letter had to be compiled is ready. */
    private readonly prepared: () => void,
  ) {
    const { wayOutOf, lanesOf, letterOf, clock } = parts;
    this.#letters = patientLetters(letterOf, clock);
    this.#asked = { wayOutOf, lanesOf, rampLeft: (workspaceId) => this.#rampLeft(workspaceId) };
  }

  get count(): number {
    return this.#all.size;
  }

  find(mailing: number): ActiveMailing | undefined {
    return this.#all.get(mailing);
  }

  /** Why a mailing's letter cannot be made; null: it can, as far as is known. */
  unmade(mailing: number): Unmade | null {
    return this.#letters.unmade(mailing);
  }

  isPreparing(mailing: number): boolean {
    return this.#preparing.has(mailing);
  }

  /** A message of the mailing is settled, or will be in a moment. */
  settled({ mailing }: Feed): void {
    this.#awaited.get(mailing.number)?.watching.onSettled();
  }

  /** A connection was found for a message of the mailing. */
  started({ mailing }: Feed, message: OwedMessage): void {
    this.#awaited.get(mailing.number)?.watching.onStarted(message.number);
  }

  /**
   * Starts mailings that became sendable, drops those that no longer are, and finds retries that are due. Runs only
   * once at a time: two runs would start the same mailing twice. Calls during a run share the next one: where many
   * campaigns begin at once, each calls, and a run of its own for each would leave no time to send.
   */
  refresh(): Promise<void> {
    if (this.#nextLook !== null) return this.#nextLook;
    const look = this.#looking.then(() => {
      this.#nextLook = null;
      return this.#look();
    });
    this.#nextLook = look;
    this.#looking = look.catch(() => {});
    return look;
  }

  /** Starts an awaited mailing, if possible. After `end` is called, nothing more is tried. */
  beginAwaited(mailing: MailingUnderWay, waiting: Awaited): { takenUp: Promise<void>; end: () => void } {
    this.#awaited.set(mailing.number, waiting);
    return {
      takenUp: this.#takeUpIfPossible(mailing, this.#asked),
      end: () => {
        this.#awaited.delete(mailing.number);
        this.#all.delete(mailing.number);
      },
    };
  }

  /**
   * Urgent mail first; then the mailing whose workspace waited longest. The requests of a workspace go in the order in
   * which they came: a caller's time is short, so a message that is tried again must not wait behind all that came
   * meanwhile.
   */
  inTurn(): Iterable<ActiveMailing> {
    const all = [...this.#all.values()].filter(({ isHalted }) => !isHalted);
    if (all.length < 2) return all;
    const lastTurn = new Map<string, number>();
    for (const { feed, lastTurn: at } of all) {
      const { workspaceId } = feed.mailing;
      lastTurn.set(workspaceId, Math.max(lastTurn.get(workspaceId) ?? 0, at));
    }
    const ofWorkspace = (active: ActiveMailing): number =>
      present(lastTurn.get(active.feed.mailing.workspaceId), "turn of a workspace");
    const isBulk = ({ feed }: ActiveMailing): number => (feed.urgency === "bulk" ? 1 : 0);
    const ofMailing = ({ feed, lastTurn: at }: ActiveMailing): number =>
      feed.urgency === "awaited" ? 0 : at;
    return all.toSorted(
      (a, b) => isBulk(a) - isBulk(b) || ofWorkspace(a) - ofWorkspace(b) || ofMailing(a) - ofMailing(b),
    );
  }

  served(active: ActiveMailing): void {
    active.lastTurn = ++this.#turn;
  }

  async #look(): Promise<void> {
    const sendable = await this.parts.ledger.sendable();
    const numbers = new Set(sendable.map(({ number }) => number));
    for (const [number, active] of this.#all) {
      active.isHalted = !numbers.has(number) && !this.#awaited.has(number);
      if (!numbers.has(number) && active.feed.inFlight === 0) this.#all.delete(number);
    }
    const asked = forOneLook(this.#asked);
    for (const [i, mailing] of sendable.entries()) {
      if (i > 0 && i % TAKEN_UP_AT_ONCE === 0) await nextLoopTurn();
      if (urgencyOf[mailing.kind] === "awaited" && !this.#awaited.has(mailing.number)) continue;
      if (this.#all.has(mailing.number) || this.#awaited.has(mailing.number))
        await this.#takeUpIfPossible(mailing, asked);
      else void this.#prepare(mailing);
    }
  }

  /** What was asked during this look may not hold any more when the letter is compiled. */
  async #prepare(mailing: MailingUnderWay): Promise<void> {
    const { number } = mailing;
    if (this.#preparing.has(number)) return;
    this.#preparing.add(number);
    await this.#takeUpIfPossible(mailing, this.#asked);
    this.#preparing.delete(number);
    this.prepared();
  }

  /** A mailing that cannot be started must not hold up the others. */
  #takeUpIfPossible(mailing: MailingUnderWay, asked: Asked): Promise<void> {
    return this.#takeUp(mailing, asked).catch((error: unknown) => {
      if (error instanceof NotYet) return;
      this.parts.log.error("a mailing cannot be taken up", { mailing: mailing.number, error });
    });
  }

  async #takeUp(mailing: MailingUnderWay, asked: Asked): Promise<void> {
    const { number, workspaceId, kind } = mailing;
    const made = this.#all.get(number)?.letter ?? this.#awaited.get(number)?.letter;
    const before = await leavingOf(mailing, made ?? (await this.#letters.made(mailing)), asked);
    // Made anew, it has the sender of today.
    const leaving =
      made !== undefined && hasOldSender(mailing, before)
        ? await leavingOf(mailing, await this.#letters.made(mailing), asked)
        : before;
    const ramp = kind === "campaign" ? await asked.rampLeft(workspaceId) : null;
    const lanes = await asked.lanesOf(workspaceId);
    // `beginAwaited` does not wait for a refresh that others started.
    const known = this.#all.get(number);
    if (known === undefined) {
      const { ledger, clock } = this.parts;
      const feed = new Feed(mailing, lanes, ledger, clock, leaving.letter.needsPeople);
      this.#all.set(number, { feed, ...leaving, lastTurn: 0, ramp, isHalted: false });
      return;
    }
    // What is on its way keeps its sender, in the letter and in the envelope. The next look changes it.
    const mayChange = known.letter === leaving.letter || known.feed.inFlight === 0;
    if (mayChange) known.letter = leaving.letter;
    known.wayOut = mayChange ? leaving.wayOut : before.wayOut;
    known.ramp = ramp;
    known.feed.lookAgain();
  }

  /**
   * What is left of a workspace's ramp. Every message under way counts as sent, so it is never too much. Messages
   * that were not sent are available again at the next look.
   */
  async #rampLeft(workspaceId: string): Promise<{ left: number } | null> {
    const ramp = await this.parts.rampOf(workspaceId);
    if (ramp === null) {
      this.#ramps.delete(workspaceId);
      return null;
    }
    let onTheirWay = 0;
    for (const { feed } of this.#all.values()) {
      const { kind, workspaceId: of } = feed.mailing;
      if (kind === "campaign" && of === workspaceId) onTheirWay += feed.inFlight;
    }
    const shared = this.#ramps.get(workspaceId) ?? { left: 0 };
    const { share } = this.parts;
    shared.left = Math.max(0, share(Math.max(0, ramp.limit - ramp.used)) - onTheirWay);
    this.#ramps.set(workspaceId, shared);
    return shared;
  }
}
