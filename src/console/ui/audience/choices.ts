import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ok } from "../api/client.ts";
import { firstThousand } from "../api/pages.ts";
import { useFormat } from "../frame/format.ts";
import { useLanguage } from "../texts/texts.tsx";
import type { Naming, RuleWords } from "./rules/sentence.ts";
import { germanRules } from "./rules/words-de.ts";
import { englishRules } from "./rules/words-en.ts";

/** What rules and actions can name. */
export type Choice = { readonly id: string; readonly name: string };

const QUERIES: Readonly<
  Record<"list" | "segment" | "campaign", { queryKey: readonly string[]; queryFn: () => Promise<Choice[]> }>
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
export function useChoices(kind: "list" | "segment" | "campaign"): readonly Choice[] {
  return useQuery(QUERIES[kind]).data ?? NONE;
}

/** Whether it is known that the workspace has no list. */
export const useHasNoList = (): boolean => useQuery(QUERIES.list).data?.length === 0;

/** What a sentence about rules needs: words in the person's language, and the names that are known. */
export function useRuleSentences(): { readonly words: RuleWords; readonly naming: Naming } {
  const words = useLanguage() === "de" ? germanRules : englishRules;
  const { number, date, dateTime } = useFormat();
  const lists = useChoices("list");
  const segments = useChoices("segment");
  const campaigns = useChoices("campaign");
  return useMemo(() => {
    const known = { list: lists, segment: segments, campaign: campaigns };
    const naming: Naming = {
      nameOf: (kind, id) => known[kind].find((each) => each.id === id)?.name ?? null,
      number,
      date: (iso) => {
        const hasTime = iso.includes("T");
        if (Number.isNaN(Date.parse(iso))) return iso;
        return hasTime ? dateTime(iso) : date(`${iso}T12:00:00`);
      },
    };
    return { words, naming };
  }, [words, lists, segments, campaigns, number, date, dateTime]);
}
