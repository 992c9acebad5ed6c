/**
 * Turns of many runs at once (automations/run/turn.ts), on an open transaction that has locked them with their
 * contacts.
 *
 * They proceed together, node by node: all writes of the last node are made together, then all facts for the next
 * node are read together, and then each run decides. So a node costs as many statements for 32 runs as for one. A
 * contact is in an automation once at a time, so no run here reads what another one changes. The exceptions are the
 * workspace's usage and its attribute counts: these are updated as the runs decide.
 */
import { countHolders } from "#attributes/merge.ts";
import type {
  Around,
  NodeFacts,
  RunMove,
  RunWrite,
  RunAtNode,
} from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import type { DueAutomation } from "#automations/run/store.ts";
import { add, nothing, takeTurn, type Advanced, type Ask, type Turn } from "#automations/run/turn.ts";
import { present } from "#core/present.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { HOUR_MS } from "#core/time/time.ts";
import type { RecordedEvent } from "#events/event.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { lockUsage } from "#storage/postgres/ledger/sending-usage.ts";
import { holdLists } from "#storage/postgres/lists/hold-lists.ts";
import { localTime } from "#workspaces/local-time.ts";
import { writeMoves } from "#storage/postgres/automations/enrollment-moves.ts";
import { writeChanges, type Change } from "./run-changes.ts";
import { contactsOf, eventsOf, factsOf } from "./run-facts.ts";
import { planMails, type Mail } from "./run-mail.ts";

export type Here = Pick<Around, "rule" | "now"> & {
  readonly automation: DueAutomation;
  readonly workspace: number;
  /** Begins a piece of work that blocks the event loop: the returned function says whether its time is over. */
  begin(): () => boolean;
  readonly nodesMax: number;
  readonly callsMax: number;
  /** Whether the workspace is locked, so that nobody else adds attribute names. */
  readonly holdsNames: boolean;
};

/** Thrown if steps bring new attribute names. The rule depends on how many there are, so it needs `holdsNames`. */
export class NewNames extends Error {}

type Steps = Generator<Ask, Turn, NodeFacts>;
type Asking = { readonly steps: Steps; readonly ask: Ask };
type Write = { readonly run: Run; readonly write: RunWrite };

/** Gives each of these runs its turn. */
export async function takeTurns(tx: Session, here: Here, runs: readonly Run[]): Promise<Advanced> {
  const sum = nothing();
  const seqs = runs.map(({ contact }) => contact);
  const [contacts, events] = await Promise.all([
    contactsOf(tx, seqs),
    eventsOf(
      tx,
      runs.flatMap(({ event }) => event ?? []),
    ),
  ]);
  let isTimeUp = (): boolean => false;
  let hasYielded = false;
  const around: Around = { ...here, isOver: () => hasYielded || isTimeUp() };
  const mayCall = (): boolean => sum.calls.length < here.callsMax;
  let asking: Asking[] = [];

  /** Returns what must be written before the run continues. */
  const goOn = (steps: Steps, step: IteratorResult<Ask, Turn>): readonly RunWrite[] => {
    if (step.done === true) add(sum, step.value.sum);
    else asking.push({ steps, ask: step.value });
    return step.value.writes;
  };

  for (const run of runs) {
    const due: RunAtNode = { run, contact: contacts.get(run.contact) ?? null };
    const steps = takeTurn(due, around, mayCall, here.nodesMax);
    goOn(steps, steps.next());
  }
  while (asking.length > 0) {
    const looking = asking;
    const found = await lookFor(tx, here, looking, events);
    const writes: Write[] = [];
    asking = [];
    [isTimeUp, hasYielded] = [here.begin(), false];
    for (const { steps, ask } of looking) {
      // Each of them is performed, because its contact is locked; a letter may take some milliseconds.
      if (isTimeUp()) {
        await nextLoopTurn();
        [isTimeUp, hasYielded] = [here.begin(), true];
      }
      for (const write of goOn(steps, steps.next(found.about(ask)))) {
        writes.push({ run: ask.run, write });
        found.count(write);
      }
    }
    await writeAll(tx, here, found.lists, writes);
  }
  return sum;
}

type Found = {
  /** The lists that the nodes name, by id; they are locked until the transaction ends. */
  readonly lists: ReadonlyMap<string, number>;
  about(ask: Ask): NodeFacts;
  /** What this run is about to write changes what the others find. */
  count(write: RunWrite): void;
};

/** The facts that several runs need, each at its node. */
async function lookFor(
  tx: Session,
  { workspace, automation, now, holdsNames }: Here,
  asking: readonly Asking[],
  events: ReadonlyMap<number, RecordedEvent>,
): Promise<Found> {
  const needs = asking.flatMap(({ ask }) => ask.needs ?? []);
  const lists = await holdLists(tx, workspace, [...new Set(needs.flatMap(({ listIds }) => listIds))]);
  const used = needs.some(({ suppression }) => suppression)
    ? new Map(await lockUsage(tx, workspace, monthsAround(now)))
    : new Map<string, number>();
  const unread = asking.flatMap(({ ask }) => (ask.contact === null ? [ask.run.contact] : []));
  const read = await contactsOf(tx, unread);
  const askedBy = new Map(
    asking.map(({ ask }) => {
      const { seq: enrollment, contact, event } = ask.run;
      const person = present(ask.contact ?? read.get(contact), "contact");
      return [ask, { enrollment, contact, person, event: events.get(event ?? 0) ?? null, needs: ask.needs }];
    }),
  );
  const facts = await factsOf(tx, { workspace, automation: automation.number }, [...askedBy.values()]);
  return {
    lists,
    about: (ask) => ({
      facts: facts.about(present(askedBy.get(ask), "run that asked")),
      usedIn: (month) => used.get(month) ?? 0,
    }),
    count(write) {
      if (write.kind === "mail") used.set(write.mail.month, (used.get(write.mail.month) ?? 0) + 1);
      if (write.kind !== "change" || write.effect.kind !== "setAttribute") return;
      const { attributes } = write.effect;
      if (!holdsNames && Object.keys(attributes).some((name) => !facts.holders.has(name)))
        throw new NewNames();
      countHolders(facts.holders, write.contact.attributes, attributes);
    },
  };
}

/** The months that it may be in some time zone now: which zone a workspace has is known only from its settings. */
const monthsAround = (now: number): string[] => [
  ...new Set([now - 14 * HOUR_MS, now + 14 * HOUR_MS].map((at) => localTime(at, "UTC").month)),
];

async function writeAll(
  tx: Session,
  here: Here,
  lists: ReadonlyMap<string, number>,
  writes: readonly Write[],
): Promise<void> {
  const { workspace, automation, now } = here;
  const changes: Change[] = [];
  const mails: Mail[] = [];
  const moves: RunMove[] = [];
  for (const { run, write } of writes) {
    if (write.kind === "change") changes.push({ run, write });
    else if (write.kind === "mail") mails.push({ run, write });
    else moves.push(write);
  }
  await writeChanges(tx, { workspace, now, lists }, changes);
  await planMails(tx, { workspace, automation, now }, mails);
  await writeMoves(tx, moves, now);
}
