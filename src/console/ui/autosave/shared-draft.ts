/**
 * A thing that is changed here, and perhaps by others at the same time. Each field that is changed here is
 * kept with what the server had then. Before a save the server is asked again: what somebody else has saved
 * in the same field is never written over without a question. The states of a field are those of
 * `autosaver.ts`, and one more:
 *
 *   unsaved, held  somebody else has saved another value --> clash: a save that has this field saves nothing
 *   clash          `keepMine` --> as before, and ours may be saved over theirs
 *   clash          `discard` --> saved: theirs is shown
 */
import { isPassing } from "../api/client.ts";
import { isAsShown } from "./as-shown.ts";
import { autosaver, type Autosaver } from "./autosaver.ts";
import { isSame, namesOf, pick, type IsSame } from "./fields.ts";
import { knownServer } from "./known-server.ts";
import { NOWHERE, onThisDevice, stillOwned } from "./on-this-device.ts";

export type SharedThing<T extends object> = {
  /** On this device. */
  readonly name: string;
  /** Who may only look keeps nothing on this device. */
  readonly mayEdit: boolean;
  load(signal: AbortSignal | null): Promise<T>;
  /** As much of it as has to be known to save these changes. */
  loadFor?(changes: Partial<T>): Promise<Partial<T>>;
  /** @returns what was saved, as the server has it now */
  save(changes: Partial<T>): Promise<Partial<T>>;
  /** Whether what is typed into a field now is saved only by a button, because others see it at once. */
  waits?(field: keyof T): boolean;
  /** Says that by now a field waits that did not when its save began. */
  readonly waitsNow?: string;
  readonly isSame?: IsSame;
};

type World<T extends object> = {
  /** The thing, and the words, as they are now. */
  thing(): SharedThing<T>;
  words(): { readonly notKnown: string; readonly clash: string; readonly typedOn: string };
  /** Called with what the server has. */
  show(server: T): void;
  /** Called after each save. */
  after(): Promise<void>;
};

const later = (run: () => void, ms: number) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export type SharedDraft<T extends object> = ReturnType<typeof sharedDraft<T>>;

export function sharedDraft<T extends object>({ thing, words, show, after }: World<T>) {
  const { name, mayEdit } = thing();
  const keptOf = (called: string) => (mayEdit ? onThisDevice<T>(called) : NOWHERE);
  const same: IsSame = (one, other) => (thing().isSame ?? isSame)(one, other);
  const server = knownServer<T>(keptOf(`${name}.base`), same, show);
  const waits = (field: keyof T): boolean => thing().waits?.(field) ?? false;
  const now = () => new Date();
  const [kept, keptHeld] = [keptOf(name), keptOf(`${name}.held`)];
  const saver = autosaver<T>({ save, kept, keptHeld, waits, isPassing, later, now });
  const settled = settling(saver, server);
  const isOwned = stillOwned();
  let saves = 0;
  saver.subscribe(() => server.keep(namesOf(saver.unsaved())));

  async function save(changes: Partial<T>): Promise<void> {
    const savesItself = namesOf(changes).filter((field) => !saver.isHeld(field));
    // Two things are kept here and tried again: a change of something that was not loaded, because nobody knows what it
    // would be written over, and one of somebody whose session has ended, because it must not be saved by who signs in next.
    if (server.get() === undefined || !isOwned()) throw new Error(words().notKnown);
    server.know(await (thing().loadFor?.(changes) ?? thing().load(null)));
    // Others would see at once what nobody here meant to be seen yet.
    if (savesItself.some(waits)) throw new Error(thing().waitsNow);
    if (server.clash(changes).length > 0) throw new Error(words().clash);
    server.sending(changes);
    server.know(await thing().save(changes));
    server.rebase(namesOf(changes));
    server.sending({});
    saves++;
    await after();
  }

  return {
    saver,
    see: server.see,
    ...changing(saver, server),
    ...settled,
    /** @param isAll whether what is held is asked for too */
    isAsShown(isAll = false): Promise<boolean> {
      const load = () => thing().load(null);
      const saveThem = () => (isAll ? settled.saveAll() : saver.flush());
      return isAsShown({ saver, server, load, save: saveThem, isAll, same, typedOn: words().typedOn });
    },
    /** An answer that was asked for before a save is older than that save. */
    async load(signal: AbortSignal): Promise<T> {
      const before = saves;
      const loaded = await thing().load(signal);
      return saves === before ? loaded : (server.get() ?? loaded);
    },
    /** It is loaded: what an earlier visit left here is saved, clashes, or is still held. */
    start(): void {
      server.rebase(namesOf(saver.unsaved()).filter((field) => !server.hasBase(field)));
      void saver.flush();
    },
  };
}

type Server<T extends object> = ReturnType<typeof knownServer<T>>;

/** What is typed, and what of it is shown. */
const changing = <T extends object>(saver: Autosaver<T>, server: Server<T>) => ({
  /** @param alsoHeld of these fields, those that are held although they no longer wait */
  set(change: Partial<T>, alsoHeld: readonly (keyof T)[] = []): void {
    const before = saver.unsaved();
    const isNew = (field: keyof T) => !Object.hasOwn(before, field);
    const real = namesOf(change).filter((field) => !isNew(field) || !server.isThere(field, change[field]));
    if (real.length === 0) return;
    server.rebase(real.filter(isNew));
    const held = real.filter(saver.isHeld);
    saver.change(pick(change, real), alsoHeld);
    // What is as it was before is no change, unless it is on its way to the server.
    const undone = held.filter((field) => server.isBase(field, change[field]));
    if (undone.length > 0 && !saver.status().isSaving) saver.forget(undone);
  },
  /** Whether what was typed into this field is to be shown, and not what somebody has saved there since. */
  isMine: (field: keyof T): boolean => Object.hasOwn(saver.unsaved(), field) || server.isAsBefore(field),
  /** Whether a field that is saved by a button is not saved. */
  isChanged(): boolean {
    const unsaved = saver.unsaved();
    return namesOf(unsaved).some((field) => saver.isHeld(field) && !server.isThere(field, unsaved[field]));
  },
});

/** Saving by a button, and the answers to a clash. */
function settling<T extends object>(saver: Autosaver<T>, server: Server<T>) {
  /** Whether somebody asked for the last save, and it failed. */
  let isAsked = false;
  const clash = (): (keyof T)[] => server.clash(saver.unsaved());
  /** Saves everything now. @returns whether everything is saved */
  const saveAll = async (): Promise<boolean> => {
    isAsked = true;
    const isSaved = await saver.flush(true);
    isAsked = !isSaved;
    return isSaved;
  };
  return {
    clash,
    saveAll,
    /** What is written here goes over what somebody else has saved. */
    keepMine(): void {
      server.rebase(clash());
      // The refusal is settled.
      saver.forget([]);
      void (isAsked ? saveAll() : saver.flush());
    },
    /**
     * Discards what was typed into these fields; the rest may now be saved.
     * @returns what it was, and which of it was held
     */
    discard(fields: readonly (keyof T)[]) {
      const were = pick(saver.unsaved(), fields);
      const held = namesOf(were).filter(saver.isHeld);
      isAsked = false;
      saver.forget(fields);
      void saver.flush();
      return { were, held };
    },
  };
}
