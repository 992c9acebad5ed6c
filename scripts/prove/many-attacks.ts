/** Requests that carry many contacts or events, and questions about everybody. */
import { filled, idOf, listOf, post, type Attack, type Send } from "./attacks.ts";

/** What a bulk request may have, less a little. */
const BULK_MAX = 16 * 1024 * 1024 - 1024;

const members = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, value]));

const BULK: readonly Attack[] = [
  post("/contacts/bulk: 1,000 with everything at its longest", "/api/v1/contacts/bulk", () =>
    JSON.stringify({
      contacts: Array.from({ length: 1_000 }, (_, i) => ({
        email: `bulk-${i}-${crypto.randomUUID()}@example.com`,
        firstName: filled("É", 200),
        tags: listOf(50, (tag) => `${tag}${filled("é", 90)}`).split(","),
        attributes: members(12, filled("É", 300)),
      })),
    }),
  ),
  post(
    "/contacts/bulk: 2,000,000 empty objects",
    "/api/v1/contacts/bulk",
    () => `{"contacts":[${filled("{},", BULK_MAX)}{}]}`,
  ),
  post("/contacts/bulk: one text of 16 MB", "/api/v1/contacts/bulk", () =>
    JSON.stringify({ contacts: [{ email: filled("a@", BULK_MAX - 4_096) }] }),
  ),
  post(
    "/contacts/bulk: nested 8,000,000 deep",
    "/api/v1/contacts/bulk",
    () => `{"contacts":${filled("[", BULK_MAX)}`,
  ),
  post("/events/bulk: 1,000 with properties at their largest", "/api/v1/events/bulk", () =>
    JSON.stringify({
      events: Array.from({ length: 1_000 }, () => ({
        name: "seen",
        email: "ada@example.com",
        properties: members(49, filled("x", 120)),
      })),
    }),
  ),
];

async function imported(
  send: Send,
  csv: string,
  options: object = { status: "SUBSCRIBED" },
): Promise<string> {
  const body =
    `--a\r\nContent-Disposition: form-data; name="options"\r\n\r\n${JSON.stringify(options)}\r\n` +
    `--a\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}\r\n--a--\r\n`;
  const type = { "content-type": "multipart/form-data; boundary=a" };
  const answer = await send("POST", "/api/v1/imports", body, type);
  if (answer.status !== 202) return `${answer.status} ${(answer.body.error?.message ?? "").slice(0, 60)}`;
  const path = `/api/v1/imports/${idOf(answer)}`;
  for (;;) {
    const { state, rows } = (await send("GET", path)).body.data as unknown as { state: string; rows: number };
    if (state !== "RUNNING") return `${state} ${rows} rows`;
    await Bun.sleep(50);
  }
}

const imports = (name: string, csv: () => string, options?: object): Attack => ({
  name: `/imports: ${name}`,
  run: (send) => imported(send, csv(), options),
});

const IMPORTS: readonly Attack[] = [
  imports(
    "30,000 rows of 100 attributes",
    () =>
      `email,${listOf(100, (i) => `a${i}`)}\n${Array.from({ length: 30_000 }, (_, row) => `wide${row}@example.com,${filled("x,", 198)}x`).join("\n")}\n`,
    { status: "SUBSCRIBED", unknownColumns: "attributes" },
  ),
  imports("a cell of 16 MB", () => `email,first name\nada@example.com,"${filled("a", 16 * 1024 * 1024)}"\n`),
  imports("a quotation that never ends", () => `email\n"${filled("ada@example.com\n", 16 * 1024 * 1024)}`),
  imports("a row of 2,000,000 cells", () => `email\nada@example.com${filled(",a", 4_000_000)}\n`),
  imports(
    "JSON of listmonk, nested deep in every row",
    () =>
      `email,name,status,attributes\n${Array.from({ length: 2_000 }, (_, row) => `deep${row}@example.com,Ada,enabled,"{""a"":${filled("[", 2_000)}${filled("]", 2_000)}}"`).join("\n")}\n`,
  ),
  imports("30,000 rows that all fail", () => `email\n${filled("no address\n", 30_000 * 11)}`),
];

const PREVIEWS: readonly Attack[] = [
  post("/segments/preview: 50 conditions that read everything", "/api/v1/segments/preview", () =>
    JSON.stringify({
      rules: {
        any: Array.from({ length: 50 }, (_, i) => ({
          field: `attributes.a${i}`,
          op: "contains",
          value: filled("é", 900),
        })),
      },
    }),
  ),
  post("/segments/preview: 4 MB of rules", "/api/v1/segments/preview", () =>
    JSON.stringify({
      rules: { any: Array.from({ length: 80_000 }, () => ({ field: "tag", op: "equals" })) },
    }),
  ),
  post(
    "/segments/preview: rules nested 200,000 deep",
    "/api/v1/segments/preview",
    () => `{"rules":${filled('{"not":', 1_400_000)}1${filled("}", 200_000)}}`,
  ),
  {
    name: "/exports/contacts: everybody, five at once",
    async run(send) {
      const all = Array.from({ length: 5 }, () => send("GET", "/api/v1/exports/contacts?format=csv"));
      return (await Promise.all(all)).map(({ status }) => status).join(" ");
    },
  },
];

export const ON_MANY: readonly Attack[] = [...BULK, ...IMPORTS, ...PREVIEWS];
