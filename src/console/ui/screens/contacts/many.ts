import type { ContactsAction } from "../../api/api.gen.ts";
import { api, headersOf, ok } from "../../api/client.ts";
import { beginWork } from "../../frame/unfinished.ts";
import { keepCsv } from "../../parts/copies/keep-file.ts";
import { asSegmentRules, type Json } from "../../audience/rules/model.ts";

/** Contacts that were chosen: by hand, or everybody whom rules hold for. */
export type Chosen = { readonly contactIds: readonly string[] } | { readonly rules: Json };

export type ManyAction =
  | { readonly action: "addTag" | "removeTag"; readonly tag: string; readonly startAutomations?: false }
  | { readonly action: "addToList" | "removeFromList"; readonly listId: string }
  | { readonly action: "delete" };

/** One action with many contacts of a workspace. */
export type Change = {
  /** Where it was begun. It never goes on in another one. */
  readonly workspaceId: string;
  readonly chosen: Chosen;
  readonly action: ManyAction;
};

const IDS_A_CALL = 1_000;

/** Does it slice by slice, until it is stopped. The slice that is under way then is done too. */
export async function* slices(change: Change, stop: AbortController) {
  if (stop.signal.aborted) return;
  const ended = beginWork(() => stop.abort());
  try {
    for await (const done of allSlices(change)) {
      yield done;
      if (stop.signal.aborted) return;
    }
  } finally {
    ended();
  }
}

async function* allSlices({ chosen, action, workspaceId }: Change) {
  if ("contactIds" in chosen) {
    for (let from = 0; from < chosen.contactIds.length; from += IDS_A_CALL) {
      const contactIds = chosen.contactIds.slice(from, from + IDS_A_CALL);
      yield await act(workspaceId, { ...action, contactIds }, null);
    }
    return;
  }
  for (let after: string | null = null; ;) {
    const done: Awaited<ReturnType<typeof act>> = await act(
      workspaceId,
      { ...action, rules: asSegmentRules(chosen.rules) },
      after,
    );
    yield done;
    after = done.nextCursor;
    if (after === null) return;
  }
}

/** Does one action with all of them, slice by slice. @returns how many were changed */
export async function doWithAll(change: Change): Promise<number> {
  let changed = 0;
  for await (const done of slices(change, new AbortController())) changed += done.changed;
  return changed;
}

export const countOf = async (workspaceId: string, rules: Json): Promise<number> =>
  (
    await ok(
      api.POST("/api/v1/contacts/search", {
        headers: headersOf(workspaceId),
        params: { query: { limit: 1 } },
        body: { rules: asSegmentRules(rules) },
      }),
    )
  ).pagination.total;

const act = async (workspaceId: string, body: ContactsAction, after: string | null) =>
  (
    await ok(
      api.POST("/api/v1/contacts/actions", {
        headers: headersOf(workspaceId),
        params: { query: after === null ? {} : { after } },
        body,
      }),
    )
  ).data;

/** Lets the browser save the chosen contacts as a CSV file. */
export async function exportChosen(chosen: Chosen): Promise<void> {
  const file = await ok(
    api.POST("/api/v1/exports/contacts", {
      params: { query: { include: "suppressed" } },
      body:
        "contactIds" in chosen
          ? { contactIds: [...chosen.contactIds] }
          : { rules: asSegmentRules(chosen.rules) },
      parseAs: "blob",
    }),
  );
  keepCsv(file, "contacts.csv");
}
