import type { ImportError } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { firstThousand } from "../../api/pages.ts";

/** All messages about the rows of an import: the server keeps the first thousand. */
export const messagesOf = (id: string): Promise<ImportError[]> =>
  firstThousand((query) => ok(api.GET("/api/v1/imports/{id}/errors", { params: { path: { id }, query } })));
