/**
 * Saves what somebody types, by itself and in order. What is not saved yet is kept on this device until it is, so neither a
 * closed page nor a server that is away loses it.
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
  /** Whether it may go well by itself later. */
  isTransient(error: Error): boolean;
  /** Calls back after so many milliseconds; the answer takes that back. */
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
  let pending: Partial<T> = kept.read();
  let sent: Partial<T> = {};
  let running: Promise<void> | null = null;
  let failures = 0;
  let cancel = () => {};
  const isEmpty = () => isEmptyObject(pending);
  const board = statusBoard(!isEmpty());

  const show = (change: Partial<SaveStatus>) =>
    board.show({ isUnsaved: running !== null || !isEmpty(), ...change });
  const plan = (ms: number) => {
    cancel();
    cancel = later(() => void run(), ms);
  };

  async function attempt(): Promise<void> {
    [sent, pending] = [pending, {}];
    let error: Error | null = null;
    try {
      await save(sent);
    } catch (fault) {
      error = asError(fault);
      pending = { ...sent, ...pending };
    }
    sent = {};
    running = null;
    kept.write(pending);
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
    /** What was typed and is not saved: it goes over what the server answers. */
    unsaved: (): Partial<T> => ({ ...sent, ...pending }),
    change(changes: Partial<T>): void {
      pending = { ...pending, ...changes };
      kept.write({ ...sent, ...pending });
      show({});
      plan(QUIET_MS);
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

/** The status, and who wants to know when it changes. */
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
