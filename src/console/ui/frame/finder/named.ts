import type { QueryClient } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { firstThousand } from "../../api/pages.ts";
import type { IconName } from "../../screens.ts";
import type { Texts } from "../../texts/en/index.ts";

/** Somebody or something that Ctrl-K leads to. */
export type Found = {
  readonly href: string;
  readonly label: string;
  readonly says: string;
  readonly icon: IconName;
};

type Named = { readonly id: string; readonly name: string };

type Kind = {
  readonly path: "segments" | "templates" | "forms" | "automations";
  readonly icon: IconName;
  all(): Promise<readonly Named[]>;
};

/** There are at most a thousand of the first two, and seldom more of the others: their routes have no search. */
const KINDS: readonly Kind[] = [
  {
    path: "segments",
    icon: "audience",
    all: () => firstThousand((query) => ok(api.GET("/api/v1/segments", { params: { query } }))),
  },
  {
    path: "templates",
    icon: "templates",
    all: () => firstThousand((query) => ok(api.GET("/api/v1/templates", { params: { query } }))),
  },
  {
    path: "forms",
    icon: "forms",
    all: () => firstThousand((query) => ok(api.GET("/api/v1/forms", { params: { query } }))),
  },
  {
    path: "automations",
    icon: "automations",
    all: () => firstThousand((query) => ok(api.GET("/api/v1/automations", { params: { query } }))),
  },
];

/** How long their names are taken as they were. A change that is made here is seen at once. */
const STALE_MS = 60_000;

/** Segments, templates, forms and automations that have it in their names, the newest first. */
export const namedLike = (client: QueryClient, texts: Texts, wanted: string, most: number) =>
  KINDS.map(async ({ path, icon, all }): Promise<Found[]> => {
    const named = await client.fetchQuery({ queryKey: [path, "names"], queryFn: all, staleTime: STALE_MS });
    const part = wanted.toLowerCase();
    return named
      .filter(({ name }) => name.toLowerCase().includes(part))
      .slice(0, most)
      .map(({ id, name }) => ({ href: `/${path}/${id}`, label: name, says: texts[path].title, icon }));
  });
