import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useAutosave } from "../../../autosave/use-autosave.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { keptBase } from "../../../autosave/kept-base.ts";
import { changedElsewhere, Clash, clashing, without } from "./clash.ts";
import type { Draft } from "./draft-fields.ts";
import { loadDraft, loadHead, saveDraft } from "./draft.ts";

/**
 * A campaign that is being written. It is saved automatically. What a closed page left unsaved on this device is
 * shown again. What is written elsewhere meanwhile is shown here too, and is never overwritten without a question.
 */
export function useDraft(id: string, isReadOnly: boolean) {
  const loaded = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => loadDraft(id, signal),
    // What is being written must not be replaced by an older saved state.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const drop = useCallback(
    (names: readonly (keyof Draft)[]) => setChanges((before) => without(before, names)),
    [],
  );
  const unsaved = useRef<() => Partial<Draft>>(() => ({}));
  const server = useServer(id, unsaved, drop);
  const { saver, status } = useAutosave<Draft>(`campaign.${id}`, server.save);
  unsaved.current = saver.unsaved;
  const [isRestored] = useState(() => !isReadOnly && namesOf(saver.unsaved()).length > 0);
  const base = useMemo(() => keptBase<Draft>(`campaign.${id}`), [id]);
  const isLoaded = loaded.data !== undefined;
  useEffect(() => {
    if (!isRestored || !isLoaded) return;
    setChanges((before) => ({ ...saver.unsaved(), ...before }));
    // It was written over what the server had then, not over what somebody may have saved since.
    server.know(base.read());
    void saver.flush();
  }, [isRestored, isLoaded, saver, server, base]);
  const rebase = useCallback(() => {
    const known = server.known();
    if (known !== undefined) base.settle(known, namesOf(saver.unsaved()));
  }, [server, base, saver]);
  useEffect(() => {
    if (status.saves > 0) rebase();
  }, [status.saves, rebase]);
  useLookOnReturn(() => {
    if (!saver.status().isUnsaved) void server.look();
  });
  const set = useCallback(
    (change: Partial<Draft>) => {
      const known = server.known();
      if (known !== undefined) base.begin(known, namesOf(change));
      setChanges((before) => ({ ...before, ...change }));
      saver.change(change);
    },
    [saver, server, base],
  );
  const draft = loaded.data === undefined ? null : { ...loaded.data, ...changes };
  const settle = settling(server, saver, drop, rebase);
  const retry = () => void loaded.refetch();
  return { draft, set, status, saver, isRestored, settle, error: loaded.error, retry };
}

const namesOf = (changes: Partial<Draft>) => Object.keys(changes) as (keyof Draft)[];
const keyOf = (id: string) => ["campaign", id, "draft"] as const;

type Unsaved = RefObject<() => Partial<Draft>>;
type Drop = (names: readonly (keyof Draft)[]) => void;

/** The server's version, which others change too. @param drop shows the server's text in place of what was typed here */
function useServer(id: string, unsaved: Unsaved, drop: Drop) {
  const queries = useQueryClient();
  const words = useTexts().sending;
  const latest = useRef(words);
  latest.current = words;
  return useMemo(() => {
    const known = () => queries.getQueryData<Draft>(keyOf(id));
    const know = (values: Partial<Draft>) =>
      queries.setQueryData<Draft>(keyOf(id), (before) => before && { ...before, ...values });
    /** Shows what was written elsewhere, except in fields that were changed here. */
    const adopt = (theirs: Partial<Draft>) => {
      const before = known();
      if (before === undefined) return;
      const fresh = without(theirs, namesOf(unsaved.current()));
      drop(changedElsewhere(before, fresh));
      know(fresh);
    };
    const save = async (changes: Partial<Draft>) => {
      const before = known();
      // What it would be written over is not known: it is kept, and tried again.
      if (before === undefined) throw new Error(latest.current.notLoaded);
      const theirs = changes.body === undefined ? await loadHead(id) : await loadDraft(id);
      const fields = clashing(before, theirs, changes);
      if (fields.length > 0) throw new Clash(latest.current.clash, fields, theirs);
      const saved = await saveDraft(id, changes);
      adopt(theirs);
      know(saved);
      forgetLists(queries);
    };
    const look = async () => {
      const theirs = await loadDraft(id).catch(() => null);
      if (theirs !== null) adopt(theirs);
    };
    return { save, look, adopt, know, known };
  }, [id, queries, unsaved, drop]);
}

const forgetLists = (queries: QueryClient): void =>
  void queries.invalidateQueries({ queryKey: ["campaigns"] });

/** Loads it whenever somebody comes back to this tab. */
function useLookOnReturn(look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const onReturn = () => document.visibilityState === "visible" && latest.current();
    window.addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
}

type Saver = ReturnType<typeof useAutosave<Draft>>["saver"];

/** The possible answers to a clash. */
const settling = (server: ReturnType<typeof useServer>, saver: Saver, drop: Drop, rebase: () => void) => ({
  /** What is written here overwrites what was written elsewhere. */
  mine({ theirs }: Clash): void {
    server.know(theirs);
    rebase();
    void saver.flush();
  },
  theirs({ theirs, fields }: Clash): void {
    saver.forget(fields);
    drop(fields);
    server.adopt(theirs);
    rebase();
    void saver.flush();
  },
  /** It is saved as another campaign, so nothing of it is left to save here. */
  done(): void {
    saver.forget(namesOf(saver.unsaved()));
    rebase();
  },
});
