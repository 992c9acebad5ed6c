import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../api/client.ts";
import { SCREENS, type IconName } from "../screens.ts";

/** Somebody or something that Ctrl-K leads to. */
export type Found = {
  readonly href: string;
  readonly label: string;
  readonly says: string;
  readonly icon: IconName;
};

const SHOWN = 5;
const LETTERS_MIN = 2;

const hasScreen = (path: string): boolean => SCREENS.some((screen) => screen.path === path);

/** Contacts and campaigns that fit what was typed. What the server does not answer is left out. */
export function useFound(text: string): readonly Found[] {
  const isLongEnough = text.length >= LETTERS_MIN;
  const query = { q: text, limit: SHOWN };
  const contacts = useQuery({
    queryKey: ["find", "contacts", text],
    enabled: isLongEnough && hasScreen("/contacts/:id"),
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/contacts", { params: { query }, signal })).then(({ data }) =>
        data.map(({ id, email, firstName, lastName }) => ({
          href: `/contacts/${id}`,
          label: email,
          says: [firstName, lastName].filter((name) => name).join(" "),
          icon: "audience" as const,
        })),
      ),
  });
  const campaigns = useQuery({
    queryKey: ["find", "campaigns", text],
    enabled: isLongEnough && hasScreen("/campaigns/:id"),
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns", { params: { query }, signal })).then(({ data }) =>
        data.map(({ id, name, subject }) => ({
          href: `/campaigns/${id}`,
          label: name,
          says: subject,
          icon: "campaigns" as const,
        })),
      ),
  });
  if (!isLongEnough) return [];
  return [...(campaigns.data ?? []), ...(contacts.data ?? [])];
}
