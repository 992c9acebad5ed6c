/**
 * The process as a node among those that send from the database. It has the right to send for a time, its lease, and
 * shows again and again that it goes on. One that does not is fenced by any other: no round of it is committed any
 * more, and what it left is taken over.
 *
 * A lease is counted by the database's clock, and by the node from before it asked: so the node's own ends first.
 */
import type { Clock } from "#core/time/clock.ts";
import { Fenced } from "#core/errors/fenced.ts";
import type { Share } from "#core/share.ts";

/** Long enough that no node loses it while its machine is busy, short enough that nobody waits long for its mail. */
const LEASE_MS = 15_000;
/** The part of it that a node does not use: its own ends earlier than others see it end. */
const MARGIN = 2 / 15;

/**
 * Whether a node lives, for a statement that takes something for it: it is not fenced before the transaction ends. What it
 * took while others swept up behind it would be nobody's for ever. The argument is a parameter of the statement.
 */
export const isAlive = (node: string): string =>
  `EXISTS (SELECT FROM nodes WHERE id = ${node} AND fenced_at IS NULL FOR SHARE)`;

/** What the stores of one process share about it. */
export type OwnNode = {
  /** For people who look at the nodes: the machine's name, and the program's version. */
  readonly name: string;
  readonly version: string;
  /** Null: the process has not joined. */
  readonly number: number | null;
  readonly leaseMs: number;
  /** How many processes send now, and how many of them are older than this one. */
  readonly peers: { readonly nodes: number; readonly older: number };
  /** The history of commits that the node has joined; a standby that takes over begins another. Null: it has not. */
  readonly timeline: string | null;
  /** Resolves when the node may never send again. */
  readonly lost: Promise<Error>;
  lose(error: Error): void;
  /** This node's part; the oldest has what is left over. */
  readonly share: Share;
  met(peers: OwnNode["peers"]): void;
  /** @param askedAtMs the monotonic time before the lease was asked for */
  joined(number: number, askedAtMs: number, timeline: string): void;
  renewed(askedAtMs: number): void;
  /** @throws Fenced where a dot that is written now might come after the end of the lease */
  checkLease(): void;
};

export function ownNode(
  clock: Pick<Clock, "monotonicMs">,
  {
    name,
    version,
    leaseMs = LEASE_MS,
  }: Pick<OwnNode, "name" | "version"> & Partial<Pick<OwnNode, "leaseMs">>,
): OwnNode {
  const usableMs = leaseMs * (1 - MARGIN);
  let number: number | null = null;
  let until = 0;
  let timeline: string | null = null;
  let peers = { nodes: 1, older: 0 };
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
  return {
    name,
    version,
    leaseMs,
    get number() {
      return number;
    },
    get peers() {
      return peers;
    },
    get timeline() {
      return timeline;
    },
    lost,
    lose,
    share: (whole) => Math.floor(whole / peers.nodes) + (peers.older === 0 ? whole % peers.nodes : 0),
    met(seen) {
      peers = seen;
    },
    joined(given, askedAtMs, of) {
      [number, timeline] = [given, of];
      until = askedAtMs + usableMs;
    },
    renewed(askedAtMs) {
      until = askedAtMs + usableMs;
    },
    checkLease() {
      if (clock.monotonicMs() > until) throw new Fenced();
    },
  };
}
