import { hashKey, useQuery, useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isNotFound } from "../api/client.ts";
import type { Texts } from "../texts/en/index.ts";
import { useTexts } from "../texts/texts.tsx";
import { namesOf, pick, without } from "./fields.ts";
import { draftInForce } from "./in-force.ts";
import { sharedDraft, type SharedDraft, type SharedThing } from "./shared-draft.ts";

type Thing<T extends object> = SharedThing<T> & {
  readonly key: QueryKey;
  /** The first member of the queries that show it too. They are loaded again after a save. */
  readonly shownIn: string;
  /** A query of another name that shows what a save may change. It is loaded again too. */
  readonly alsoShownIn?: QueryKey;
};

export type UsedDraft<T extends object> = ReturnType<typeof useSharedDraft<T>>;

/**
 * A thing that is changed on this screen, and perhaps by others. What a closed page left unsaved on this
 * device is shown again. What is saved elsewhere is shown when somebody comes back to the tab. It is about
 * one thing: a screen for another one is a new screen (`key`).
 */
export function useSharedDraft<T extends object>(thing: Thing<T>) {
  const own = useOwn(thing);
  const { saver } = own;
  const loaded = useQuery({
    queryKey: thing.key,
    queryFn: ({ signal }) => own.load(signal),
    // It is loaded whenever somebody comes to it or comes back to it, and before each save.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const server = loaded.data;
  if (server !== undefined) own.see(server);
  const status = useSyncExternalStore(saver.subscribe, saver.status);
  useLookAfterNotFound(status.error, () => void loaded.refetch());
  const [typed, setTyped] = useState<Partial<T>>(saver.unsaved);
  const [isRestored] = useState(saver.status().isUnsaved);
  useComings(own, server !== undefined, () => void loaded.refetch());
  const set = useCallback(
    (change: Partial<T>, alsoHeld: readonly (keyof T)[] = []) => {
      if (!own.latest.current.thing.mayEdit) return;
      setTyped((before) => ({ ...before, ...change }));
      own.set(change, alsoHeld);
    },
    [own],
  );
  const drop = (fields: readonly (keyof T)[]): (() => void) => {
    const { were, held } = own.discard(fields);
    setTyped((before) => without(before, fields));
    return () => set(were, held);
  };
  const mine = pick(typed, namesOf(typed).filter(own.isMine));
  const isChanged = own.isChanged();
  const isGone = server !== undefined && isNotFound(loaded.error);
  return {
    draft: server === undefined ? null : { ...server, ...mine },
    /** As the server has it. */
    saved: server,
    set,
    saver,
    status: {
      ...status,
      error: isGone ? null : status.error,
      savedAt: isChanged || isGone ? null : status.savedAt,
    },
    /** Whether something waits for its button. */
    isChanged,
    isRestored,
    /** Whether it was deleted while it was shown. */
    isGone,
    /** Fields in which somebody else has saved something else since they were changed here. */
    clash: own.clash(),
    save: own.saveAll,
    isAsShown: own.isAsShown,
    keepMine: own.keepMine,
    /** Both return what undoes them. */
    takeTheirs: () => drop(own.clash()),
    discard: () => drop(namesOf(saver.unsaved())),
    error: server === undefined ? loaded.error : null,
    retry: () => void loaded.refetch(),
  };
}

/** What the draft needs from its screen, as it is now; of a screen that was left, as it was last. */
type Latest<T extends object> = { readonly thing: Thing<T>; readonly words: Texts["frame"] };
type Own<T extends object> = SharedDraft<T> & { readonly latest: { current: Latest<T> } };

function useOwn<T extends object>(thing: Thing<T>): Own<T> {
  const queries = useQueryClient();
  const latest: Latest<T> = { thing, words: useTexts().frame };
  const [own] = useState(() => {
    const make = () => ownDraft(latest, queries);
    // Who may only look saves nothing, and must not save what somebody else left here.
    return thing.mayEdit ? draftInForce(thing.name, make) : make();
  });
  own.latest.current = latest;
  return own;
}

function ownDraft<T extends object>(first: Latest<T>, queries: QueryClient): Own<T> {
  const latest = { current: first };
  const { key, shownIn, alsoShownIn } = first.thing;
  const self = hashKey(key);
  const draft = sharedDraft<T>({
    thing: () => latest.current.thing,
    words: () => latest.current.words,
    show: (server) => void queries.setQueryData<T>(key, (before) => before && server),
    async after() {
      if (alsoShownIn) void queries.invalidateQueries({ queryKey: alsoShownIn, exact: true });
      await queries.invalidateQueries({
        queryKey: [shownIn],
        predicate: ({ queryHash }) => queryHash !== self,
      });
    },
  });
  return { ...draft, latest };
}

/** What was not found by a save may be the thing itself, or another that it names: loading it tells. */
function useLookAfterNotFound(error: Error | null, look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (isNotFound(error)) latest.current();
  }, [error]);
}

/** Somebody comes to the thing, comes back to its tab, or leaves it: then what saves itself is saved. */
function useComings<T extends object>(own: SharedDraft<T>, isLoaded: boolean, look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (isLoaded) own.start();
  }, [own, isLoaded]);
  useEffect(() => {
    const leave = () => void own.saver.flush();
    const comeBack = () => {
      if (!own.saver.status().isSaving) latest.current();
    };
    const comeOrGo = () => (document.visibilityState === "hidden" ? leave() : comeBack());
    window.addEventListener("focus", comeBack);
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", comeOrGo);
    return () => {
      window.removeEventListener("focus", comeBack);
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", comeOrGo);
      leave();
    };
  }, [own]);
}
