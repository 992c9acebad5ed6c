import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ContactsAction, SegmentRules } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { asError } from "../../parts/as-error.ts";
import { keepFile } from "../../parts/copies/keep-file.ts";
import type { Json } from "../../audience/rules/model.ts";
import { useTexts } from "../../texts/texts.tsx";

/** Contacts that were chosen: by hand, or everybody whom rules hold for. */
export type Chosen = { readonly contactIds: readonly string[] } | { readonly rules: Json };

export type ManyAction =
  | { readonly action: "addTag" | "removeTag"; readonly tag: string; readonly startAutomations?: false }
  | { readonly action: "addToList" | "removeFromList"; readonly listId: string }
  | { readonly action: "delete" };

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

const IDS_A_CALL = 1_000;
/** A change of more contacts cannot be undone. */
const UNDO_MAX = 10_000;
const CONTRARY = {
  addTag: "removeTag",
  removeTag: "addTag",
  addToList: "removeFromList",
  removeFromList: "addToList",
} as const;

/** Does one action with many, slice by slice, and reports the progress. */
export function useMany() {
  const queries = useQueryClient();
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const [progress, setProgress] = useState<Progress | null>(null);
  const isStopped = useRef(false);

  const run = async (chosen: Chosen, action: ManyAction, total: number): Promise<void> => {
    isStopped.current = false;
    let sum: Progress = { ...NOTHING_DONE, kind: action.action, total };
    const changedIds: string[] = [];
    setProgress(sum);
    try {
      // A deletion cannot be undone, and somebody may have come since it was confirmed.
      if (action.action === "delete" && "rules" in chosen && (await countOf(chosen.rules)) !== total)
        throw new Error(contacts.otherNumber(quantity(total)));
      for await (const done of slices(chosen, action)) {
        changedIds.push(...done.changedIds.slice(0, UNDO_MAX + 1 - changedIds.length));
        sum = {
          ...sum,
          changed: sum.changed + done.changed,
          unchanged: sum.unchanged + done.unchanged,
          refused: sum.refused + done.refused,
          problems: [...sum.problems, ...done.problems].slice(0, 20),
        };
        setProgress(sum);
        if (isStopped.current) break;
      }
    } catch (error) {
      sum = { ...sum, error: asError(error) };
    }
    setProgress({ ...sum, isOver: true, isStopped: isStopped.current, undo: undoOf(action, changedIds) });
    await queries.invalidateQueries();
  };

  return {
    progress,
    run,
    stop: () => {
      isStopped.current = true;
    },
    forget: () => setProgress(null),
  };
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

async function* slices(chosen: Chosen, action: ManyAction) {
  if ("contactIds" in chosen) {
    for (let from = 0; from < chosen.contactIds.length; from += IDS_A_CALL)
      yield await act({ ...action, contactIds: chosen.contactIds.slice(from, from + IDS_A_CALL) }, null);
    return;
  }
  for (let after: string | null = null; ;) {
    const done: Awaited<ReturnType<typeof act>> = await act(
      { ...action, rules: chosen.rules as SegmentRules },
      after,
    );
    yield done;
    after = done.nextCursor;
    if (after === null) return;
  }
}

/** Does one action with all of them, slice by slice. @returns how many were changed */
export async function doWithAll(chosen: Chosen, action: ManyAction): Promise<number> {
  let changed = 0;
  for await (const done of slices(chosen, action)) changed += done.changed;
  return changed;
}

const countOf = async (rules: Json): Promise<number> =>
  (
    await ok(
      api.POST("/api/v1/contacts/search", {
        params: { query: { limit: 1 } },
        body: { rules: rules as SegmentRules },
      }),
    )
  ).pagination.total;

const act = async (body: object, after: string | null) =>
  (
    await ok(
      api.POST("/api/v1/contacts/actions", {
        params: { query: after === null ? {} : { after } },
        body: body as ContactsAction,
      }),
    )
  ).data;

function undoOf(done: ManyAction, ids: readonly string[]): Progress["undo"] {
  if (done.action === "delete" || ids.length === 0 || ids.length > UNDO_MAX) return null;
  // A tag that comes back is not news: what it starts would mail everybody once more.
  const quiet = done.action === "removeTag" ? { startAutomations: false } : {};
  const action = { ...done, ...quiet, action: CONTRARY[done.action] } as ManyAction;
  return { chosen: { contactIds: ids }, action };
}

/** Lets the browser save the chosen contacts as a CSV file. */
export async function exportChosen(chosen: Chosen): Promise<void> {
  const file = await ok(
    api.POST("/api/v1/exports/contacts", {
      body: chosen as { contactIds: string[] } | { rules: SegmentRules },
      parseAs: "blob",
    }),
  );
  keepFile(file, "contacts.csv");
}
