import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import type { IconName } from "../../screens.ts";

/** A contact or campaign that Ctrl-K found. */
export type Found = {
  readonly href: string;
  readonly label: string;
  readonly says: string;
  readonly icon: IconName;
};

const SHOWN = 5;
const LETTERS_MIN = 2;
const NOTHING: readonly Found[] = [];

/**
 * Contacts and campaigns that fit what was typed. A request that fails gives none.
 * @param text what the server is asked for
 * @param wanted what is in the field now. Until the server has answered for it, only those earlier results that fit
 * it
 */
export function useFound(
  text: string,
  wanted: string,
): { readonly found: readonly Found[]; readonly isAsking: boolean } {
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["find", text],
    enabled: text.length >= LETTERS_MIN,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const answers = await Promise.allSettled([campaignsLike(text, signal), contactsLike(text, signal)]);
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
