import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { asError } from "../../parts/as-error.ts";
import { useTexts } from "../../texts/texts.tsx";
import { countOf, slices, type Change, type Chosen, type ManyAction } from "./many.ts";

export type Progress = {
  readonly kind: ManyAction["action"];
  readonly isOver: boolean;
  readonly isStopped: boolean;
  readonly total: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly problems: readonly { readonly email: string; readonly message: string }[];
  readonly error: Error | null;
  /** What undoes it; null if nothing does. */
  readonly undo: { readonly chosen: Chosen; readonly action: ManyAction } | null;
};

type InForce = { readonly progress: Progress; readonly stop: () => void };

/**
 * The change of many contacts that runs, or whose result waits to be read, by workspace and person. It is kept here and
 * not in a screen: who leaves the screen and comes back finds its progress, its Stop and its result, and can begin no
 * second one beside it.
 */
const inForce = new Map<string, InForce>();
const listeners = new Set<() => void>();

function keep(name: string, one: InForce | null): void {
  if (one === null) inForce.delete(name);
  else inForce.set(name, one);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A change of more contacts cannot be undone. */
const UNDO_MAX = 10_000;
const CONTRARY = {
  addTag: "removeTag",
  removeTag: "addTag",
  addToList: "removeFromList",
  removeFromList: "addToList",
} as const;

const useName = (): string => {
  const { workspace, user } = useSession();
  return `${workspace.id} ${user.email}`;
};

/** One action with many of the workspace that is shown: its progress, wherever it was begun. */
export function useMany() {
  const queries = useQueryClient();
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const { workspace } = useSession();
  const name = useName();
  const progress = useSyncExternalStore(subscribe, () => inForce.get(name)?.progress ?? null);
  const run = async (chosen: Chosen, action: ManyAction, total: number): Promise<void> => {
    if (inForce.get(name)?.progress.isOver === false) return;
    const stop = new AbortController();
    const show = (now: Progress) => keep(name, { progress: now, stop: () => stop.abort() });
    const otherNumber = contacts.otherNumber(quantity(total));
    await doChange({ workspaceId: workspace.id, chosen, action }, total, { stop, show, otherNumber });
    await queries.invalidateQueries();
  };
  return {
    progress,
    run,
    stop: () => inForce.get(name)?.stop(),
    forget: () => keep(name, null),
  };
}

/** Who leaves the screen has read the result that is on it. One that says what went wrong stays until it is closed. */
export function useForgetsResult(): void {
  const name = useName();
  useEffect(
    () => () => {
      const { isOver, error } = inForce.get(name)?.progress ?? {};
      if (isOver === true && error === null) keep(name, null);
    },
    [name],
  );
}

type Watched = {
  readonly stop: AbortController;
  readonly show: (progress: Progress) => void;
  /** Says that by now they are not as many as were confirmed. */
  readonly otherNumber: string;
};

async function doChange(change: Change, total: number, watched: Watched): Promise<void> {
  const { stop, show, otherNumber } = watched;
  const { workspaceId, chosen, action } = change;
  const changedIds: string[] = [];
  let sum: Progress = { ...NOTHING_DONE, kind: action.action, total };
  show(sum);
  try {
    // A deletion cannot be undone, and somebody may have come since it was confirmed.
    if (
      action.action === "delete" &&
      "rules" in chosen &&
      (await countOf(workspaceId, chosen.rules)) !== total
    )
      throw new Error(otherNumber);
    for await (const done of slices(change, stop)) {
      changedIds.push(...done.changedIds.slice(0, UNDO_MAX + 1 - changedIds.length));
      sum = {
        ...sum,
        changed: sum.changed + done.changed,
        unchanged: sum.unchanged + done.unchanged,
        refused: sum.refused + done.refused,
        problems: [...sum.problems, ...done.problems].slice(0, 20),
      };
      show(sum);
    }
  } catch (error) {
    sum = { ...sum, error: asError(error) };
  }
  show({ ...sum, isOver: true, isStopped: stop.signal.aborted, undo: undoOf(action, changedIds) });
}

const NOTHING_DONE: Omit<Progress, "kind"> = {
  isOver: false,
  isStopped: false,
  total: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  problems: [],
  error: null,
  undo: null,
};

function undoOf(done: ManyAction, ids: readonly string[]): Progress["undo"] {
  if (done.action === "delete" || ids.length === 0 || ids.length > UNDO_MAX) return null;
  // A tag that comes back is not news: what it starts would mail everybody once more.
  const quiet = done.action === "removeTag" ? { startAutomations: false } : {};
  const action = { ...done, ...quiet, action: CONTRARY[done.action] } as ManyAction;
  return { chosen: { contactIds: ids }, action };
}
