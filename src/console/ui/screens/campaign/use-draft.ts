import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useAutosave } from "../../autosave/use-autosave.ts";
import { loadDraft, saveDraft, type Draft } from "./draft.ts";

/** A campaign that is written on: it saves itself. What a closed page left unsaved on this device is there again. */
export function useDraft(id: string, isReadOnly: boolean) {
  const queries = useQueryClient();
  const loaded = useQuery({
    queryKey: ["campaign", id, "draft"],
    queryFn: ({ signal }) => loadDraft(id, signal),
    // What is being written is not replaced by what was saved a while ago.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const save = useCallback(
    async (changes: Partial<Draft>) => {
      await saveDraft(id, changes);
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
    },
    [id, queries],
  );
  const { saver, status } = useAutosave<Draft>(`campaign.${id}`, save);
  const [changes, setChanges] = useState<Partial<Draft>>(() => (isReadOnly ? {} : saver.unsaved()));
  const [isRestored] = useState(() => !isReadOnly && Object.keys(changes).length > 0);
  useEffect(() => {
    if (isRestored) void saver.flush();
  }, [isRestored, saver]);
  const set = useCallback(
    (change: Partial<Draft>) => {
      setChanges((before) => ({ ...before, ...change }));
      saver.change(change);
    },
    [saver],
  );
  const draft = loaded.data === undefined ? null : { ...loaded.data, ...changes };
  return { draft, set, status, saver, isRestored, error: loaded.error, retry: () => void loaded.refetch() };
}
