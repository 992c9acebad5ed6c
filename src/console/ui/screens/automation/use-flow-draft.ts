import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Automation } from "../../api/api.gen.ts";
import { useSharedDraft, type UsedDraft } from "../../autosave/use-shared-draft.ts";
import type { Flow } from "../../flow/flow.ts";
import { useSession } from "../../frame/session/session.tsx";
import { redo, startHistory, stepHistory, undo, type History } from "../../parts/saving/history.ts";
import { useTexts } from "../../texts/texts.tsx";
import { automationKey, loadAutomation, loadFlow, saveAutomation } from "./use-automation.ts";

/** What of an automation is edited on its screen. */
export type Content = { readonly name: string; readonly flowJson: Flow; readonly updatedAt: string };

/**
 * The flow that is being edited. A DRAFT or PAUSED flow is saved automatically. A LIVE flow moves people while it
 * is edited, so its changes stay on this device until they are published, all at once. A pause does not save them
 * either: after it they stay here until they are published, or the flow is changed again.
 */
export function useAutomationDraft(automation: Automation): UsedDraft<Content> {
  const { id } = automation;
  const queries = useQueryClient();
  const { liveMeanwhile } = useTexts().automations;
  const known = (): Automation => queries.getQueryData<Automation>(automationKey(id)) ?? automation;
  return useSharedDraft<Content>({
    name: `automation.${id}`,
    key: ["automations", id, "flow"],
    shownIn: "automations",
    mayEdit: useSession().may("editor"),
    waits: (field) => field === "flowJson" && known().status === "LIVE",
    waitsNow: liveMeanwhile,
    async load(signal) {
      const [loaded, flowJson] = await Promise.all([loadAutomation(id, signal), loadFlow(id, signal)]);
      // Somebody else may have set it live: the screen shows that, and a save of the flow asks for it.
      if (Date.parse(loaded.updatedAt) >= Date.parse(known().updatedAt))
        queries.setQueryData<Automation>(automationKey(id), loaded);
      const { name, updatedAt } = loaded;
      return { name, updatedAt, flowJson };
    },
    async save(changes) {
      const { name, updatedAt } = await saveAutomation(id, changes);
      return { ...changes, name, updatedAt };
    },
  });
}

/** The flow with its steps, which can be undone and redone. */
export function useFlowDraft(shared: UsedDraft<Content>, { name, flowJson: flow }: Content, stored: Flow) {
  const { set, status: saving, isChanged, save, discard } = shared;
  const [history, setHistory] = useState<History<Flow>>(() => stepHistory(startHistory(stored), flow, null));
  // It was saved elsewhere, or discarded here.
  if (history.present !== flow) setHistory(startHistory(flow));
  const take = (next: History<Flow>) => {
    if (next === history) return;
    setHistory(next);
    set({ flowJson: next.present });
  };
  return {
    flow,
    name,
    saving,
    rename: (next: string) => set({ name: next }),
    change: (next: Flow, about: string | null = null) => take(stepHistory(history, next, about)),
    undo: history.past.length > 0 ? () => take(undo(history)) : null,
    redo: history.future.length > 0 ? () => take(redo(history)) : null,
    isUnpublished: isChanged,
    /** Saves everything now. @returns whether the server has it */
    flush: save,
    /** Saves what saves itself, and publishes nothing. @returns whether the server has everything */
    settle: () => shared.saver.flush(),
    isAsShown: shared.isAsShown,
    discard,
  };
}

export type FlowDraft = ReturnType<typeof useFlowDraft>;
