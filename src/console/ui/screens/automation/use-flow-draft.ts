import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { Automation } from "../../api/api.gen.ts";
import { useAutosave } from "../../autosave/use-autosave.ts";
import type { Flow } from "../../flow/flow.ts";
import { redo, startHistory, stepHistory, undo, type History } from "../../parts/saving/history.ts";
import { saveAutomation } from "./use-automation.ts";

type Saved = { name: string; flowJson: Flow };

const draftKey = (id: string): string => `postrider.unpublished.${id}`;

/** A live flow with changes that are not published, as this device keeps it. */
function readDraft(id: string): Flow | null {
  try {
    return JSON.parse(localStorage.getItem(draftKey(id)) ?? "null") as Flow | null;
  } catch {
    return null;
  }
}

function keepDraft(id: string, flow: Flow | null): void {
  try {
    if (flow === null) localStorage.removeItem(draftKey(id));
    else localStorage.setItem(draftKey(id), JSON.stringify(flow));
  } catch {
    // The device keeps nothing, but the open page still has it.
  }
}

/**
 * The flow that is being edited. A DRAFT or PAUSED flow is saved automatically. A LIVE flow moves people while it
 * is edited, so its changes stay on this device until they are published, all at once.
 */
export function useFlowDraft({ id, name, status }: Automation, stored: Flow) {
  const client = useQueryClient();
  const save = useCallback(
    async (change: Partial<Saved>) => {
      await saveAutomation(id, change);
      if (change.flowJson !== undefined) client.setQueryData(["automations", id, "flow"], change.flowJson);
      await client.invalidateQueries({
        queryKey: ["automations"],
        predicate: ({ queryKey }) => queryKey[2] !== "flow",
      });
    },
    [client, id],
  );
  const { saver, status: saving } = useAutosave<Saved>(`automation.${id}`, save);
  const [history, setHistory] = useState<History<Flow>>(() => {
    const typed = saver.unsaved().flowJson ?? readDraft(id);
    return typed === null ? startHistory(stored) : stepHistory(startHistory(stored), typed, null);
  });
  const [published, setPublished] = useState(stored);
  const isLive = status === "LIVE";

  const take = (next: History<Flow>) => {
    if (next === history) return;
    setHistory(next);
    if (isLive) keepDraft(id, next.present === published ? null : next.present);
    else saver.change({ flowJson: next.present });
  };

  /** Saves everything now. @returns whether the server has it */
  const flush = async (): Promise<boolean> => {
    if (history.present !== published) saver.change({ flowJson: history.present });
    const isSaved = await saver.flush();
    if (isSaved) {
      keepDraft(id, null);
      setPublished(history.present);
    }
    return isSaved;
  };

  return {
    flow: history.present,
    name: saver.unsaved().name ?? name,
    saving,
    rename: (next: string) => saver.change({ name: next }),
    change: (next: Flow, about: string | null = null) => take(stepHistory(history, next, about)),
    undo: history.past.length > 0 ? () => take(undo(history)) : null,
    redo: history.future.length > 0 ? () => take(redo(history)) : null,
    isUnpublished: isLive && history.present !== published,
    flush,
    discard: () => {
      keepDraft(id, null);
      setHistory(startHistory(published));
    },
  };
}

export type FlowDraft = ReturnType<typeof useFlowDraft>;
