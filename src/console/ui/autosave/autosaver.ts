/**
 * Saves what somebody types, automatically and in order. Until it is saved it is kept on this device, so that
 * nothing is lost when the page is closed or the server is away.
 */

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

type Parts<T> = {
  save(changes: Partial<T>): Promise<void>;
  readonly kept: Kept<T>;
  /** Whether the same request may succeed later. */
  isTransient(error: Error): boolean;
  /** Calls `run` after this time. The returned function cancels it. */
  later(run: () => void, ms: number): () => void;
  now(): Date;
};

export type Autosaver<T extends object> = ReturnType<typeof autosaver<T>>;

const QUIET_MS = 700;
const RETRY_MS = [2_000, 5_000, 15_000, 60_000];
const pauseAfter = (failures: number): number =>
  RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? QUIET_MS;
const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0;
const asError = (fault: unknown): Error => (fault instanceof Error ? fault : new Error(String(fault)));

export function autosaver<T extends object>({ save, kept, isTransient, later, now }: Parts<T>) {
  const unsaved = unsavedOf(kept);
  const { isEmpty } = unsaved;
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

  async function attempt(): Promise<void> {
    let error: Error | null = null;
    try {
      await save(unsaved.take());
    } catch (fault) {
      error = asError(fault);
    }
    unsaved.end(error === null);
    running = null;
    failures = error === null ? 0 : failures + 1;
    show({
      isSaving: false,
      error,
      ...(error === null ? { savedAt: now(), saves: board.status().saves + 1 } : {}),
    });
    if (error === null && !isEmpty()) plan(QUIET_MS);
    if (error !== null && isTransient(error)) plan(pauseAfter(failures));
  }

  async function run(): Promise<void> {
    if (running === null && !isEmpty()) {
      running = attempt();
      show({ isSaving: true });
    }
    await running;
  }

  return {
    subscribe: board.subscribe,
    status: board.status,
    /** What was typed and is not saved. It takes precedence over the server's answer. */
    unsaved: unsaved.all,
    change(changes: Partial<T>): void {
      unsaved.add(changes);
      show({});
      plan(QUIET_MS);
    },
    /** Discards what was typed into these fields and is not saved. */
    forget(names: readonly (keyof T)[]): void {
      unsaved.forget(names);
      show({ error: null });
      if (isEmpty()) cancel();
    },
    /** Saves all of it now. @returns whether everything is saved */
    async flush(): Promise<boolean> {
      cancel();
      if (running !== null) await running;
      await run();
      return isEmpty();
    },
  };
}

/** What was typed and is not saved; some of it may be on its way to the server. All of it is kept on this device. */
function unsavedOf<T extends object>(kept: Kept<T>) {
  let pending: Partial<T> = kept.read();
  let sent: Partial<T> = {};
  const all = (): Partial<T> => ({ ...sent, ...pending });
  const hold = (next: Partial<T>): void => {
    pending = next;
    kept.write(all());
  };
  return {
    all,
    isEmpty: (): boolean => isEmptyObject(pending),
    add: (changes: Partial<T>): void => hold({ ...pending, ...changes }),
    forget(names: readonly (keyof T)[]): void {
      const left = Object.entries(pending).filter(([name]) => !names.some((one) => one === name));
      hold(Object.fromEntries(left) as Partial<T>);
    },
    take(): Partial<T> {
      [sent, pending] = [pending, {}];
      return sent;
    },
    end(isSaved: boolean): void {
      const left = isSaved ? pending : all();
      sent = {};
      hold(left);
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
