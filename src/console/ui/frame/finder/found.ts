import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";
import { namedLike, type Found } from "./named.ts";

const SHOWN = 5;
const LETTERS_MIN = 2;
const NOTHING: readonly Found[] = [];

/**
 * People, campaigns, lists and all else that has a name, as far as it fits what was typed. What the server
 * does not answer is left out.
 * @param text what the server is asked for
 * @param wanted what is in the field now. Until the server has answered for it, only those earlier results that fit
 * it
 */
export function useFound(
  text: string,
  wanted: string,
): { readonly found: readonly Found[]; readonly isAsking: boolean } {
  const texts = useTexts();
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["find", text],
    enabled: text.length >= LETTERS_MIN,
    placeholderData: keepPreviousData,
    queryFn: async ({ client, signal }) => {
      const answers = await Promise.allSettled([
        campaignsLike(text, signal),
        contactsLike(text, signal),
        listsLike(text, texts.lists.title, signal),
        ...namedLike(client, texts, text, SHOWN),
      ]);
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    },
  });
  if (wanted.length < LETTERS_MIN) return { found: NOTHING, isAsking: false };
  const isBehind = text !== wanted || isPlaceholderData;
  const found = data ?? NOTHING;
  return {
    found: isBehind ? found.filter((one) => fits(one, wanted)) : found,
    isAsking: isBehind || isFetching,
  };
}

const fits = ({ label, says }: Found, wanted: string): boolean =>
  `${label} ${says}`.toLowerCase().includes(wanted.toLowerCase());

async function contactsLike(q: string, signal: AbortSignal): Promise<Found[]> {
  const query = { q, limit: SHOWN };
  const { data } = await ok(api.GET("/api/v1/contacts", { params: { query }, signal }));
  return data.map(({ id, email, firstName, lastName }) => ({
    href: `/contacts/${id}`,
    label: email,
    says: [firstName, lastName].filter((name) => name).join(" "),
    icon: "audience",
  }));
}

async function campaignsLike(q: string, signal: AbortSignal): Promise<Found[]> {
  const query = { q, limit: SHOWN };
  const { data } = await ok(api.GET("/api/v1/campaigns", { params: { query }, signal }));
  return data.map(({ id, name, subject }) => ({
    href: `/campaigns/${id}`,
    label: name,
    says: subject,
    icon: "campaigns",
  }));
}

async function listsLike(q: string, says: string, signal: AbortSignal): Promise<Found[]> {
  const query = { q, limit: SHOWN };
  const { data } = await ok(api.GET("/api/v1/lists", { params: { query }, signal }));
  return data.map(({ id, name }) => ({ href: `/lists/${id}`, label: name, says, icon: "audience" }));
}
