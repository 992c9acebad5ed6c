/** The cast of API tests: makes contacts and reads what else a request may have written. */
import { searchIndex } from "#storage/sqlite/search/search-index.ts";
import type { TestApi } from "../server/api.ts";
import { isPostgres, rowsFrom } from "../server/services.ts";

/** POSTs a contact and returns it. */
export async function person(
  api: TestApi,
  email: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const answer = await api.call("POST", "/contacts", { email, ...fields });
  if (answer.status > 201) throw new Error(`${email}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** Makes so many contacts with this tag: `TAG-0@example.com`, `TAG-1@example.com` and so on. */
export async function crowd(api: TestApi, tag: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const contacts = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => ({
      email: `${tag}-${from + i}@example.com`,
      tags: [tag],
    }));
    await api.call("POST", "/contacts/bulk", { contacts });
  }
}

/** The contact with this address; null: there is none. */
export async function contactOf(api: TestApi, email: string): Promise<any> {
  return (await api.call("GET", `/contacts?q=${encodeURIComponent(email)}`)).body.data[0] ?? null;
}

/** POSTs a list with these contacts and returns its id. */
export async function listOf(
  api: TestApi,
  name: string,
  contactIds: readonly string[] = [],
): Promise<string> {
  const { id } = (await api.call("POST", "/lists", { name })).body.data;
  if (contactIds.length > 0) await api.call("POST", `/lists/${id}/contacts`, { contactIds });
  return id;
}

/** Ada, Grace, Linus and Alan, who differ in status, tags and plan. Returns the id of a list with Ada and Linus on it. */
export async function fourPeople(api: TestApi): Promise<string> {
  const ada = await person(api, "ada@example.com", {
    firstName: "Ada",
    tags: ["vip"],
    attributes: { plan: "Pro" },
  });
  await person(api, "grace@example.com", { firstName: "Grace", tags: ["vip"], status: "PENDING" });
  const linus = await person(api, "linus@example.org", { firstName: "Linus", attributes: { plan: "free" } });
  await person(api, "alan@example.org", { tags: ["vip", "beta"], status: "UNSUBSCRIBED" });
  return await listOf(api, "News", [ada.id, linus.id]);
}

/** Every suppressed address with its reason. */
export async function suppressions(
  api: TestApi,
  workspaceId = api.workspaceId,
): Promise<Record<string, string>> {
  const entries = await Array.fromAsync(api.services.suppressions.list(workspaceId));
  return Object.fromEntries(entries.map(({ email, reason }) => [email, reason]));
}

/** The consent log, oldest first, each entry as `ACTION address source`. */
export async function consentLog(api: TestApi, workspaceId = api.workspaceId): Promise<string[]> {
  const entries = await Array.fromAsync(api.services.contacts.consentLog(workspaceId));
  return entries.toReversed().map(({ action, email, source }) => `${action} ${email} ${source}`);
}

/** Advances the search index by so many contacts, as a server does in the background. */
export const advanceSearchIndex = ({ services }: TestApi, rowsMax: number): Promise<void> => {
  const { sqlite, writes } = services.database;
  return writes.write(() => searchIndex(sqlite).advance(rowsMax));
};

/** Whether the derived tables are equal to a recount of the rows that they are made from. */
export function derivedTablesAgree(api: TestApi): boolean {
  const rows = (sql: string) => JSON.stringify(rowsFrom(api, sql));
  return DERIVED.every(([kept, counted]) => rows(kept) === rows(counted));
}

const TAGS_COUNTED = isPostgres
  ? "SELECT workspace, tag, status, count(*) AS n FROM contacts, unnest(tags) AS tag GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
  : "SELECT workspace, value AS tag, status, count(*) AS n FROM contacts, json_each(tags) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";

const ATTRIBUTES_COUNTED = isPostgres
  ? `SELECT a.workspace, key AS name, CASE jsonb_typeof(value) WHEN 'array' THEN 'list' ELSE jsonb_typeof(value) END AS type,
       count(*) AS n FROM contact_attributes AS a, jsonb_each(a.attributes) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
  : `SELECT c.workspace, key AS name, CASE type WHEN 'text' THEN 'string' WHEN 'array' THEN 'list' WHEN 'true' THEN 'boolean'
       WHEN 'false' THEN 'boolean' WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' END AS type, count(*) AS n
     FROM contact_attributes AS a JOIN contacts AS c ON c.seq = a.contact AND c.workspace = a.workspace, json_each(a.attributes)
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

/** Counts of PostgreSQL are sums of rows, which are merged from time to time. */
const DERIVED: readonly (readonly [string, string])[] = [
  [
    "SELECT workspace, status, sum(n) AS n FROM contact_counts WHERE tag = '' GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2",
    "SELECT workspace, status, count(*) AS n FROM contacts GROUP BY 1, 2 ORDER BY 1, 2",
  ],
  [
    `SELECT workspace, tag, status, sum(n) AS n FROM contact_counts WHERE tag <> '' GROUP BY 1, 2, 3 HAVING sum(n) <> 0
     ORDER BY 1, 2, 3`,
    TAGS_COUNTED,
  ],
  [
    "SELECT list, status, sum(n) AS n FROM list_counts GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2",
    "SELECT m.list, c.status, count(*) AS n FROM list_members AS m JOIN contacts AS c ON c.seq = m.contact GROUP BY 1, 2 ORDER BY 1, 2",
  ],
  [
    "SELECT workspace, name, type, sum(n) AS n FROM attribute_counts GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3",
    ATTRIBUTES_COUNTED,
  ],
  ...(isPostgres
    ? []
    : [
        [
          "SELECT rowid AS seq FROM contact_search ORDER BY 1",
          "SELECT seq FROM contacts WHERE seq <= (SELECT through FROM search_index) ORDER BY 1",
        ] as const,
      ]),
];
