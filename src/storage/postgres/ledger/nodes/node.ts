/**
 * This process as one of the nodes that send from the database. It may send for a time, its lease, and renews it
 * again and again. If it does not, any other node fences it: none of its rounds is committed, and its work is taken
 * over.
 *
 * A lease is measured by the database's clock. The node itself counts from before it asked, so its own time ends
 * first.
 */
import type { Clock } from "#core/time/clock.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { present } from "#core/present.ts";
import type { Share } from "#core/share.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/** Long enough that a node on a busy machine keeps it, short enough that the mail of a dead node does not wait long. */
const LEASE_MS = 15_000;
/** The part of the lease that a node does not use: its own time ends before others see the lease end. */
const MARGIN = 2 / 15;

/**
 * Whether a node is alive, for a statement that takes something for it; it is not fenced before the transaction
 * ends. Otherwise, what it took while others took over its work would be lost. The argument is a parameter of the
 * statement.
 */
export const isAlive = (node: string): string =>
  `EXISTS (SELECT FROM nodes WHERE id = ${node} AND fenced_at IS NULL FOR SHARE)`;

const HOLD = "SELECT FROM nodes WHERE id = $1 AND fenced_at IS NULL FOR SHARE";

/**
 * This node's number. It cannot be fenced before the transaction ends, so a later fencing frees what it takes now.
 * @throws Fenced
 */
export async function holdNode(tx: Session, own: Pick<OwnNode, "number" | "lose">): Promise<number> {
  const number = present(own.number, "node that has joined");
  if ((await tx.row(HOLD, [number])) !== null) return number;
  const error = new Fenced();
  // The next beat would find this too, but only later.
  own.lose(error);
  throw error;
}

/** What the stores of one process share about their node. */
export type OwnNode = {
  /** For people who look at the nodes: the machine's name, and the program's version. */
  readonly name: string;
  readonly version: string;
  /** Null: the process has not joined. */
  readonly number: number | null;
  readonly leaseMs: number;
  /** How many processes send now, and how many of them are older than this one. */
  readonly peers: { readonly nodes: number; readonly older: number };
  /** The node's timeline of commits; a standby that takes over begins another. Null: the node has not joined. */
  readonly timeline: string | null;
  /** Resolves when the node may never send again. */
  readonly lost: Promise<Error>;
  lose(error: Error): void;
  /** This node's share; the oldest node also has the remainder. */
  readonly share: Share;
  met(peers: OwnNode["peers"]): void;
  /** @param askedAtMs the monotonic time before the lease was asked for */
  joined(number: number, askedAtMs: number, timeline: string): void;
  renewed(askedAtMs: number): void;
  /** Whether the node has joined and its lease is over: it sends nothing until a beat renews it. */
  readonly isLate: boolean;
  /** @throws Fenced if a dot that is written now might come after the end of the lease */
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
    get isLate() {
      return number !== null && clock.monotonicMs() > until;
    },
    checkLease() {
      if (clock.monotonicMs() > until) throw new Fenced();
    },
  };
}
