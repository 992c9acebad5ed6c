import { useMemo, useState } from "react";
import { EVERYBODY, type Json, type RuleDraft } from "../../audience/rules/model.ts";
import { readRules } from "../../audience/rules/read.ts";
import { writeRules } from "../../audience/rules/write.ts";
import { useAddress } from "../../frame/use-address.ts";

/** `opened` is `no` where the column of the last open is hidden. */
const NOTHING = { q: "", rules: "", columns: "", opened: "" };

/**
 * The filter of the contacts screen. It is in the address, so that reload, back and shared links keep it. A chip
 * that is not finished waits here; until then the rules before it are used.
 */
export function useContactFilter() {
  const [address, setAddress] = useAddress(NOTHING);
  const { q, rules: text, columns, opened } = address;
  const [local, setLocal] = useState(() => ({ text, draft: draftOf(text) }));
  const read = useMemo(() => draftOf(text), [text]);
  const draft = local.text === text ? local.draft : read;
  const setDraft = (next: RuleDraft): void => {
    const { rules, problems } = writeRules(next);
    const nextText = problems.length > 0 ? text : rules === null ? "" : JSON.stringify(rules);
    setLocal({ text: nextText, draft: next });
    if (nextText !== text) setAddress({ rules: nextText });
  };
  return {
    q,
    draft,
    rules: useMemo(() => writeRules(read).rules, [read]),
    columns: useMemo(() => columns.split(",").filter((name) => name !== ""), [columns]),
    showsOpened: opened !== "no",
    setDraft,
    setSearch: (next: string) => setAddress({ q: next }),
    setColumns: (names: readonly string[]) => setAddress({ columns: names.join(",") }),
    setShowsOpened: (shows: boolean) => setAddress({ opened: shows ? "" : "no" }),
    clear: () => setAddress({ q: "", rules: "" }),
  };
}

export type ContactFilter = ReturnType<typeof useContactFilter>;

function draftOf(text: string): RuleDraft {
  if (text === "") return EVERYBODY;
  try {
    return readRules(JSON.parse(text) as Json);
  } catch {
    return EVERYBODY;
  }
}
