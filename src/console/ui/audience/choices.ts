import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ok } from "../api/client.ts";
import { firstThousand, LOADED_MAX } from "../api/pages.ts";
import { useSettings } from "../api/settings.ts";
import { useFormat } from "../frame/format.ts";
import { useLanguage } from "../texts/texts.tsx";
import type { Naming, RuleWords } from "./rules/sentence.ts";
import { germanRules } from "./rules/words-de.ts";
import { englishRules } from "./rules/words-en.ts";

/** What rules and actions can name. */
export type Choice = { readonly id: string; readonly name: string };

export type NamedKind = "list" | "segment" | "campaign";

const QUERIES: Readonly<
  Record<NamedKind, { queryKey: readonly string[]; queryFn: () => Promise<Choice[]> }>
> = {
  list: {
    queryKey: ["lists", "names"],
    queryFn: () => firstThousand((query) => ok(api.GET("/api/v1/lists", { params: { query } }))),
  },
  segment: {
    queryKey: ["segments", "names"],
    queryFn: () => firstThousand((query) => ok(api.GET("/api/v1/segments", { params: { query } }))),
  },
  campaign: {
    queryKey: ["campaigns", "names"],
    queryFn: () => firstThousand((query) => ok(api.GET("/api/v1/campaigns", { params: { query } }))),
  },
};

const NONE: readonly Choice[] = [];

/** The names of lists, segments or campaigns; empty until they are there. */
export function useChoices(kind: NamedKind): readonly Choice[] {
  return useQuery(QUERIES[kind]).data ?? NONE;
}

/** A name that was not loaded. */
export const NOT_LOADED = "…";

/** Names by their ids; null where nothing has the id any more. That is known only once all are loaded. */
export function useNameOf(kind: NamedKind): (id: string) => string | null {
  const { data } = useQuery(QUERIES[kind]);
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]));
    const areAllThere = data !== undefined && data.length < LOADED_MAX;
    return (id) => names.get(id) ?? (areAllThere ? null : NOT_LOADED);
  }, [data]);
}

/** Whether it is known that the workspace has no list. */
export const useHasNoList = (): boolean => useQuery(QUERIES.list).data?.length === 0;

/** What a sentence about rules needs: words in the person's language, and the names that are known. */
export function useRuleSentences(): { readonly words: RuleWords; readonly naming: Naming } {
  const words = useLanguage() === "de" ? germanRules : englishRules;
  const { number, date } = useFormat();
  const { dateTime } = useFormat(useSettings().data?.timezone);
  const list = useNameOf("list");
  const segment = useNameOf("segment");
  const campaign = useNameOf("campaign");
  return useMemo(() => {
    const names = { list, segment, campaign };
    const naming: Naming = {
      nameOf: (kind, id) => names[kind](id),
      number,
      date: (iso) => {
        const hasTime = iso.includes("T");
        if (Number.isNaN(Date.parse(iso))) return iso;
        return hasTime ? dateTime(iso) : date(`${iso}T12:00:00`);
      },
    };
    return { words, naming };
  }, [words, list, segment, campaign, number, date, dateTime]);
}
