import { useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { firstThousand } from "../../api/pages.ts";
import { useSession } from "../../frame/session/session.tsx";

const NONE: ReadonlyMap<string, string> = new Map();

/** The names of keys by id, for people who may read keys. Loaded once, if an entry is about a key. */
export function useKeyNames(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const { may } = useSession();
  const { data = NONE } = useQuery({
    queryKey: ["keys", "names"],
    enabled: may("owner") && entries.some(({ what }) => what.startsWith("key_")),
    queryFn: async ({ signal }) => {
      const keys = await firstThousand((query) => ok(api.GET("/api/v1/keys", { params: { query }, signal })));
      return new Map(keys.map(({ id, name }) => [id, name]));
    },
  });
  return data;
}
