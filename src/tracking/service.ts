import type { Asker } from "#core/request/asker.ts";
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { ContactService } from "#contacts/service.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import { thenSoon, type Soon } from "#core/time/soon.ts";
import { readToken, TEST_MESSAGE, type Purpose } from "#deliveries/token.ts";
import { readerService } from "#deliveries/reader-service.ts";
import type { EngagementHit } from "#deliveries/ledger.ts";
import type { LedgerStore, Recipient } from "#deliveries/store.ts";
import type { Log } from "#log.ts";
import { lookOf, type Look } from "#workspaces/look.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import { ClickTrails } from "./click-trails.ts";
import { WaitingHits } from "./hits.ts";
import { isOpenedTooSoon, isSweep } from "./suspicion.ts";
import { shownAddress } from "#core/addresses/shown-address.ts";

type Ledger = Pick<LedgerStore, "recipient" | "link" | "recordEngagement" | "markUnsubscribed">;

type Parts = {
  readonly ledger: Ledger;
  readonly contacts: Pick<ContactService, "optOut">;
  readonly workspaces: Pick<WorkspaceService, "settings">;
  /** Used to sign the tokens of links. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
};

/** What the holder of an unsubscribe link may see. */
export type Subscription = {
  /** How the sender's pages look. */
  readonly look: Look;
  /** In the form that `shownAddress` gives. */
  readonly shownAddress: string;
  /** Whether this link was used before. */
  readonly isUsed: boolean;
};

export type TrackingService = ReturnType<typeof trackingService>;

const OPEN = { kind: "open", link: null, times: 1 } as const;
const CLICK = { kind: "click", times: 1 } as const;

/**
 * What the links of a sent message do. A token that this service did not make for the purpose gives null or
 * false.
 */
export function trackingService(parts: Parts) {
  const { workspaces, secret, clock } = parts;
  const counter = hitCounter(parts);
  const readers = readerService(parts);
  const messageOf = (purpose: Purpose, token: string): number | null => readToken(secret, purpose, token);

  const shown = async ({ workspaceId, address, unsubscribedAt }: Recipient): Promise<Subscription> => ({
    look: lookOf(await workspaces.settings(workspaceId)),
    shownAddress: shownAddress(address),
    isUsed: unsubscribedAt !== null,
  });

  return {
    /** False for a bad token. `isByMachine`: see `isMachine`. */
    open(token: string, isByMachine: boolean): boolean {
      const message = messageOf("open", token);
      if (message !== null)
        counter.add({ ...OPEN, message, by: isByMachine ? "machine" : "person", at: clock.now() });
      return message !== null;
    },

    /** The message that this token belongs to: the token of its unsubscribe link and of its web version. */
    readerMessage: (token: string): number | null => messageOf("unsubscribe", token),

    click: clicking(parts, counter),

    /** Whether it is the unsubscribe link of a test mail, which belongs to nobody. */
    isTest: (token: string): boolean => messageOf("unsubscribe", token) === TEST_MESSAGE,

    async subscription(token: string): Promise<Subscription | null> {
      const reader = await readers.byToken(token);
      return reader && shown(reader);
    },

    /** Opts the recipient out. */
    async unsubscribe(token: string, asker: Asker, reason: string | null): Promise<Subscription | null> {
      const reader = await readers.byToken(token);
      if (reader === null) return null;
      await readers.optOut(reader, originOf(asker, reason));
      return shown(reader);
    },

    /** The same for an opt-out that came by mail, or by a provider's hook. False: there is no such message. */
    async unsubscribeByMail(message: number, reason: string | null): Promise<boolean> {
      const reader = await readers.byMessage(message);
      if (reader === null) return false;
      await readers.optOut(reader, originOf(null, reason));
      return true;
    },

    /** Writes the waiting hits. Hits that cannot be written stay in the queue. */
    drain: (): Promise<void> => counter.drain(),
  };
}

/** Where a link leads: only to an address that was in the message's letter when it was sent. */
function clicking({ ledger, secret, clock }: Parts, counter: ReturnType<typeof hitCounter>) {
  const clickerOf = clickJudge(ledger);
  return (token: string, number: string, isByMachine: boolean): Soon<string | null> => {
    const message = readToken(secret, "click", token);
    if (message === null || !/^(?:0|[1-9][0-9]{0,8})$/.test(number)) return null;
    return thenSoon(ledger.link(message, Number(number)), (url): Soon<string | null> => {
      if (url === null) return null;
      const at = clock.now();
      const link = { number: Number(number), url };
      return thenSoon(isByMachine ? "machine" : clickerOf(message, link.number, at), (by) => {
        counter.add({ ...CLICK, message, by, at, link });
        return url;
      });
    });
  };
}

/** Nobody is known where the opt-out came by mail. */
function originOf(asker: Asker | null, reason: string | null): ConsentOrigin {
  const { clientAddress, userAgent } = asker ?? { clientAddress: null, userAgent: null };
  return { source: "unsubscribe", formId: null, clientAddress, userAgent, reason };
}

/** Messages whose last clicks are remembered: those of a few seconds of the busiest mailing. */
const TRAILS_MAX = 10_000;

/** Tells whether a click belongs to a program that follows every link of a message. */
function clickJudge(ledger: Pick<Ledger, "link">) {
  const trails = new ClickTrails(TRAILS_MAX);
  return (message: number, number: number, at: Instant): Soon<EngagementHit["by"]> => {
    const clickedAt = trails.add(message, number, at);
    if (clickedAt.length < 2) return "person";
    // Links are numbered from 0 without gaps. So n followed links are all of them if there is no link n.
    return thenSoon(ledger.link(message, clickedAt.length), (next) =>
      isSweep(clickedAt, next === null, at) ? "suspect" : "person",
    );
  };
}

const WRITTEN_AFTER_MS = 100;
const TRIED_AGAIN_AFTER_MS = 5_000;
/** A write of this size is short enough that nobody else waits for it. */
const GROUP_MAX = 500;
/** The hits of a large mailing while the database cannot be written. More would take too much memory. */
const WAITING_MAX = 100_000;

/**
 * Writes hits in groups, so that a mail program that loads a pixel does not wait for the disk. If the process
 * is killed, the hits of the last tenth of a second are lost.
 */
function hitCounter({ ledger, clock, log }: Parts) {
  const waiting = new WaitingHits(WAITING_MAX);
  let isPlanned = false;
  let writing = Promise.resolve();
  let isLosing = false;

  const plan = (delayMs: number): void => {
    if (isPlanned) return;
    isPlanned = true;
    clock.setTimer(delayMs, () => {
      isPlanned = false;
      writing = writing.then(writeAll);
    });
  };

  const writeAll = async (): Promise<void> => {
    while (!waiting.isEmpty) {
      let group = waiting.take(GROUP_MAX);
      try {
        while (group.length > 0) group = group.slice(await ledger.recordEngagement(group, isOpenedTooSoon));
        isLosing = false;
      } catch (error) {
        for (const hit of group) waiting.add(hit);
        log.warn("opens and clicks could not be written yet", { error });
        return plan(TRIED_AGAIN_AFTER_MS);
      }
    }
  };

  return {
    add(hit: EngagementHit): void {
      if (!waiting.add(hit) && !isLosing) {
        isLosing = true;
        log.error("opens and clicks are lost: too many wait to be written");
      }
      plan(WRITTEN_AFTER_MS);
    },
    async drain(): Promise<void> {
      writing = writing.then(writeAll);
      await writing;
    },
  };
}
