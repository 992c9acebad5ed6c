/**
 * Saves what somebody types, automatically and in order. Until it is saved it is kept on this device, so that
 * nothing is lost when the page is closed or the server is away. The states of a field:
 *
 *   saved        typed --> unsaved, or held where others would see it at once (`waits`)
 *   unsaved      a moment of quiet, or `flush()` --> being saved
 *   unsaved      others would see it at once by now --> held
 *   held         a button: `flush(true)` --> being saved
 *   being saved  saved --> saved, or unsaved if more was typed meanwhile
 *   being saved  the server is away --> as before, and what saves itself is tried again
 *   being saved  refused --> as before, until more is typed or somebody asks
 *   unsaved, held  `forget` --> saved
 */

import { asError } from "../parts/as-error.ts";
import { namesOf, pick, without } from "./fields.ts";

export type SaveStatus = {
  readonly isSaving: boolean;
  /** Whether something that was typed is not on the server yet. */
  readonly isUnsaved: boolean;
  /** Why the last try failed; null once one went well. */
  readonly error: Error | null;
  readonly savedAt: Date | null;
  /** Grows with every save. */
  readonly saves: number;
};

/** Where unsaved changes are kept on this device. */
export type Kept<T> = { read(): Partial<T>; write(changes: Partial<T>): void };

type Holding<T> = {
  readonly kept: Kept<T>;
  /** Where those of them are kept that are saved only when somebody asks for it. */
  readonly keptHeld: Kept<T>;
  /** Whether a field is saved only when somebody asks for it, as things are now. */
  waits?(field: keyof T): boolean;
};

type Parts<T> = Holding<T> & {
  save(changes: Partial<T>): Promise<void>;
  /** Whether the same request may succeed later. */
  isPassing(error: Error): boolean;
  /** Calls `run` after this time. The returned function cancels it. */
  later(run: () => void, ms: number): () => void;
  now(): Date;
};

export type Autosaver<T extends object> = ReturnType<typeof autosaver<T>>;

const QUIET_MS = 700;
const RETRY_MS = [2_000, 5_000, 15_000, 60_000];
const pauseAfter = (failures: number): number =>
  RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? QUIET_MS;
const errorOf = (done: Promise<void>): Promise<Error | null> => done.then(() => null, asError);
const anyField = (): boolean => true;
const noField = (): boolean => false;

export function autosaver<T extends object>({ save, isPassing, later, now, ...parts }: Parts<T>) {
  const unsaved = unsavedOf(parts);
  const { isEmpty, isHeld } = unsaved;
  const dueField = (field: keyof T): boolean => !isHeld(field);
  let running: Promise<void> | null = null;
  let failures = 0;
  let cancel = () => {};
  const board = statusBoard(!isEmpty());

  const show = (change: Partial<SaveStatus>) =>
    board.show({ isUnsaved: running !== null || !isEmpty(), ...change });
  const plan = (ms: number) => {
    cancel();
    cancel = later(() => void run(), ms);
  };

  async function attempt(which: (field: keyof T) => boolean): Promise<void> {
    const error = await errorOf(save(unsaved.take(which)));
    // What was typed meanwhile is another try than the one that was refused.
    const isMore = unsaved.has(dueField);
    unsaved.end(error === null);
    running = null;
    failures = error === null ? 0 : failures + 1;
    show({
      isSaving: false,
      error,
      ...(error === null ? { savedAt: now(), saves: board.status().saves + 1 } : {}),
    });
    if (error !== null && isPassing(error)) plan(pauseAfter(failures));
    else if (isMore) plan(QUIET_MS);
  }

  async function run(which = dueField): Promise<void> {
    unsaved.holdWaiting();
    if (running === null && unsaved.has(which)) {
      running = attempt(which);
      show({ isSaving: true });
    }
    await running;
  }

  return {
    subscribe: board.subscribe,
    status: board.status,
    /** What was typed and is not saved. It takes precedence over the server's answer. */
    unsaved: unsaved.all,
    /** Whether a field is saved only when somebody asks for it: it waits now, or waited when this was typed. */
    isHeld,
    /** @param alsoHeld of these fields, those that are held although they no longer wait */
    change(changes: Partial<T>, alsoHeld: readonly (keyof T)[] = []): void {
      unsaved.add(changes, alsoHeld);
      show({});
      if (namesOf(changes).some(dueField)) plan(QUIET_MS);
    },
    /** Discards what was typed into these fields and is not saved. */
    forget(names: readonly (keyof T)[]): void {
      unsaved.forget(names);
      show({ error: null });
      if (isEmpty()) cancel();
    },
    /** Saves now what saves itself; with `isAll` also what is held. @returns whether everything is saved */
    async flush(isAll = false): Promise<boolean> {
      cancel();
      if (running !== null) await running;
      await run(isAll ? anyField : dueField);
      return isEmpty();
    },
  };
}

/**
 * What was typed and is not saved; some of it may be on its way to the server. All of it is kept on this device.
 * What waited when it was typed, or was seen to wait since, is held, also when it waits no more: nobody meant it to
 * be seen yet. It is held until it is saved, or is typed again. It is kept apart, so that a reload knows it too.
 */
function unsavedOf<T extends object>({ kept, keptHeld, waits = noField }: Holding<T>) {
  let held: readonly (keyof T)[] = namesOf(keptHeld.read());
  let pending: Partial<T> = { ...kept.read(), ...keptHeld.read() };
  let sent: Partial<T> = {};
  const all = (): Partial<T> => ({ ...sent, ...pending });
  const isHeld = (field: keyof T): boolean => waits(field) || held.includes(field);
  const keep = (next: Partial<T>): void => {
    pending = next;
    const unsaved = all();
    held = namesOf(unsaved).filter(isHeld);
    kept.write(without(unsaved, held));
    keptHeld.write(pick(unsaved, held));
  };
  return {
    all,
    isHeld,
    isEmpty: (): boolean => namesOf(pending).length === 0,
    has: (which: (field: keyof T) => boolean): boolean => namesOf(pending).some(which),
    add(changes: Partial<T>, alsoHeld: readonly (keyof T)[]): void {
      held = [...held.filter((field) => !Object.hasOwn(changes, field)), ...alsoHeld];
      keep({ ...pending, ...changes });
    },
    /** What waits by now is held from now on. */
    holdWaiting(): void {
      if (namesOf(pending).some((field) => waits(field) && !held.includes(field))) keep(pending);
    },
    forget: (names: readonly (keyof T)[]): void => keep(without(pending, names)),
    take(which: (field: keyof T) => boolean): Partial<T> {
      const taken = namesOf(pending).filter(which);
      [sent, pending] = [pick(pending, taken), without(pending, taken)];
      return sent;
    },
    end(isSaved: boolean): void {
      const left = isSaved ? pending : all();
      sent = {};
      keep(left);
    },
  };
}

/** The status, and the listeners for its changes. */
function statusBoard(isUnsaved: boolean) {
  let status: SaveStatus = { isSaving: false, isUnsaved, error: null, savedAt: null, saves: 0 };
  const listeners = new Set<() => void>();
  return {
    status: (): SaveStatus => status,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show(change: Partial<SaveStatus>): void {
      status = { ...status, ...change };
      for (const listener of listeners) listener();
    },
  };
}
