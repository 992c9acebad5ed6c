/**
 * Imports of uploaded files, one after the other in each workspace, and the workspaces in turn. After a restart an
 * import continues behind the last row that was kept.
 */
import { sleep, type Clock, type Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { errorText } from "#core/errors/thrown.ts";
import type { Log } from "#log.ts";
import { yieldTurnsWhile } from "#core/time/event-loop.ts";
import { WITHIN_A_SERVER } from "./batches.ts";
import { csvRows } from "./csv/csv-rows.ts";
import { runImport } from "./import-run.ts";
import { planFile } from "#imports/rows/non-subscribed-file.ts";
import type { ImportFiles } from "./import-files.ts";
import { rowParser } from "#imports/rows/import-row.ts";
import type { ImportStore, RunningImport } from "./store.ts";

/** How many workspaces' files are read at the same time. */
const AT_ONCE = 4;
/** After this time an import makes way for another workspace, if one waits. */
const TURN_MS = 5_000;
/** How often it looks for imports that were added meanwhile. */
const LOOK_EVERY_MS = 1_000;
/** Turns of the event loop for other work between two batches; more while a request waits for its answer. */
const TURNS_BETWEEN_BATCHES = 2;
const TURNS_AWAITED = 12;
/** How often it deletes files that nobody needs. */
const SWEEP_EVERY_MS = HOUR_MS;
/** While the database cannot be written, imports wait; while a file cannot be read, those of its workspace. */
const AGAIN_MS = 10_000;

type Parts = {
  readonly imports: ImportStore;
  readonly files: ImportFiles;
  /** Whether a request is waiting for its answer right now. */
  isAwaited(): boolean;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
};

export function importJob(parts: Parts) {
  const { imports, clock, log } = parts;
  const sweep = sweeping(parts);
  const atWork = new Map<string, Promise<void>>();
  /** When a workspace last had a turn, counted in turns. */
  const servedAt = new Map<string, number>();
  let turns = 0;
  const stopping = new AbortController();
  let isSomebodyWaiting = false;
  /** Until when all imports wait, by the clock that only runs forwards. */
  let againMs = 0;
  const unread = unreadFiles(parts);
  let woken = Promise.withResolvers<void>();

  const turnOf = async (one: RunningImport): Promise<void> => {
    servedAt.set(one.workspaceId, ++turns);
    try {
      const untilMs = clock.monotonicMs() + TURN_MS;
      const mustGiveWay = (): boolean => isSomebodyWaiting && clock.monotonicMs() >= untilMs;
      await importOn(parts, one, () => stopping.signal.aborted || mustGiveWay());
    } catch (error) {
      // A fault of the database or its disk: what was kept stays, and the rest is tried again.
      if (error instanceof StorageError) againMs = clock.monotonicMs() + AGAIN_MS;
      else if (isUnread(error)) unread.wait(one, error);
      else
        await endFailed(parts, one, error).catch((later: unknown) =>
          log.error("an import cannot be ended", { error: later }),
        );
    } finally {
      atWork.delete(one.workspaceId);
    }
  };

  /** Starts the imports that may start. False: nothing is left to do. */
  const begin = async (): Promise<boolean> => {
    const running = await imports.running();
    const lastServed = ({ workspaceId }: RunningImport): number => servedAt.get(workspaceId) ?? 0;
    const waiting = running
      .filter((one) => !atWork.has(one.workspaceId) && unread.mayRead(one))
      .toSorted((a, b) => lastServed(a) - lastServed(b));
    const next = waiting.slice(0, AT_ONCE - atWork.size);
    for (const one of next) atWork.set(one.workspaceId, turnOf(one));
    isSomebodyWaiting = waiting.length > next.length;
    if (running.length === 0) servedAt.clear();
    return atWork.size > 0;
  };

  return {
    /** Works until no import is left. */
    async run(signOfLife: () => void): Promise<void> {
      await sweep();
      while (!stopping.signal.aborted && clock.monotonicMs() >= againMs && (await begin())) {
        signOfLife();
        woken = Promise.withResolvers();
        await Promise.race([...atWork.values(), woken.promise, sleep(clock, LOOK_EVERY_MS)]);
        await sweep();
      }
      await Promise.all(atWork.values());
    },

    /** The scheduler looks every second, which is often enough for what waits. */
    nextDueAt: async (): Promise<Instant | null> => null,

    /** Looks for imports that were added, without delay. */
    wake: (): void => woken.resolve(),

    /** Every import stops after the batch that is being written. The next start continues it. */
    async stop(): Promise<void> {
      stopping.abort();
      woken.resolve();
      await Promise.all(atWork.values());
    },
  };
}

function sweeping({ imports, files, clock }: Pick<Parts, "imports" | "files" | "clock">) {
  let nextMs = 0;
  return async (): Promise<void> => {
    if (clock.monotonicMs() < nextMs) return;
    await files.sweep(imports.runningIds);
    nextMs = clock.monotonicMs() + SWEEP_EVERY_MS;
  };
}

/** Where one file cannot be read, its workspace waits, and no other. It is logged once. */
function unreadFiles({ clock, log }: Pick<Parts, "clock" | "log">) {
  const untilMs = new Map<string, number>();
  const logged = new Set<string>();
  return {
    wait({ workspaceId, id }: RunningImport, error: unknown): void {
      untilMs.set(workspaceId, clock.monotonicMs() + AGAIN_MS);
      if (!logged.has(id)) log.warn("an import waits: its file cannot be read", { import: id, error });
      logged.add(id);
    },
    mayRead: ({ workspaceId }: RunningImport): boolean =>
      (untilMs.get(workspaceId) ?? 0) <= clock.monotonicMs(),
  };
}

/** The file is there, but the system did not let it be read: it may do so later. What is gone stays gone. */
const isUnread = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && errorCode(error) !== "ENOENT";

/** Imports until the file ends, or `isStopped`. */
async function importOn(
  { imports, files, clock, newId, isAwaited }: Parts,
  { id, workspaceId, options, format, header, ofNonSubscribed, linesDone }: RunningImport,
  isStopped: () => boolean,
): Promise<void> {
  const columns = unwrap(planFile(header, options, ofNonSubscribed ?? false));
  const end = await runImport(
    { imports, clock, newId },
    {
      workspaceId,
      id,
      options,
      rows: csvRows(files.bytesOf(id)(), format, linesDone),
      parse: rowParser(columns, options.status, clock.now()),
      pace: WITHIN_A_SERVER,
      onKept: () => yieldTurnsWhile(isAwaited, TURNS_BETWEEN_BATCHES, TURNS_AWAITED),
      isStopped,
    },
  );
  if (end !== "stopped") await files.remove(id);
}

const GONE: Readonly<Record<string, string>> = {
  ENOENT: "Its file is gone from the data directory.",
  ENODATA: "The rest of its file is gone. Import the file again: nobody is added twice.",
};

async function endFailed(
  { imports, files, clock, log }: Parts,
  { workspaceId, id }: RunningImport,
  error: unknown,
): Promise<void> {
  const says = GONE[errorCode(error)] ?? `It could not go on: ${errorText(error)}`;
  const hasEnded = await imports.end(workspaceId, id, { state: "FAILED", error: says, at: clock.now() });
  // Not one that a person cancelled: its file is deleted while it is read.
  if (hasEnded) log.warn("an import failed", { import: id, workspace: workspaceId, error });
  await files.remove(id);
}
