import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ok } from "../api/client.ts";
import { useFormat } from "../frame/format.ts";
import { useLanguage } from "../texts/texts.tsx";
import type { Naming, RuleWords } from "./rules/sentence.ts";
import { germanRules } from "./rules/words-de.ts";
import { englishRules } from "./rules/words-en.ts";

/** What rules and actions can name. */
export type Choice = { readonly id: string; readonly name: string };

const PAGES_MAX = 10;

type Page = {
  readonly data: readonly Choice[];
  readonly pagination: { readonly nextCursor: string | null };
};

/** All of a kind, newest first; the first thousand where there are more. */
async function all(pageOf: (query: { limit: number; after?: string }) => Promise<Page>): Promise<Choice[]> {
  const found: Choice[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data, pagination }: Page = await pageOf({ limit: 100, ...(after === null ? {} : { after }) });
    found.push(...data.map(({ id, name }) => ({ id, name })));
    after = pagination.nextCursor;
    if (after === null) break;
  }
  return found;
}

const QUERIES: Readonly<
  Record<"list" | "segment" | "campaign", { queryKey: readonly string[]; queryFn: () => Promise<Choice[]> }>
> = {
  list: {
    queryKey: ["lists", "names"],
    queryFn: () => all((query) => ok(api.GET("/api/v1/lists", { params: { query } }))),
  },
  segment: {
    queryKey: ["segments", "names"],
    queryFn: () => all((query) => ok(api.GET("/api/v1/segments", { params: { query } }))),
  },
  campaign: {
    queryKey: ["campaigns", "names"],
    queryFn: () => all((query) => ok(api.GET("/api/v1/campaigns", { params: { query } }))),
  },
};

const NONE: readonly Choice[] = [];

/** The names of lists, segments or campaigns; empty until they are there. */
export function useChoices(kind: "list" | "segment" | "campaign"): readonly Choice[] {
  return useQuery(QUERIES[kind]).data ?? NONE;
}

/** The attributes in use. */
export function useAttributeNames(): readonly string[] {
  const { data } = useQuery({
    queryKey: ["attributes"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/attributes", { signal })).then((answer) => answer.data),
  });
  return useMemo(() => data?.map(({ name }) => name) ?? [], [data]);
}

/** What a sentence about rules needs: words of the person's language, and the names that are known. */
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
