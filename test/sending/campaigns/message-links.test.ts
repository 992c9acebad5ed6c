import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BASE_URL } from "../../support/server/api.ts";
import { decodedPart } from "../../support/sending/marketing-fixture.ts";
import {
  headerOf,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";

let api: SendingApi;
beforeEach(async () => {
  api = await startSending();
});
afterEach(() => api.stop());

const PEOPLE = ["a", "b", "c", "d"].map((name) => ({ email: `${name}@links.example.com`, firstName: name }));
const COMMON = Array.from({ length: 12 }, (_, n) => `https://shop.example.org/item/${n}`);
const OWN_AT = 5;
const ownOf = (name: string): string => `https://shop.example.org/of/${name}`;

/** A letter with one link of the reader's own among many that are the same for everybody. */
const BODY = [...COMMON.slice(0, OWN_AT), ownOf("{{ contact.firstName }}"), ...COMMON.slice(OWN_AT)]
  .map((address) => `<a href="${address}">x</a>`)
  .join(" ");
const linksOf = (name: string): string[] => [
  ...COMMON.slice(0, OWN_AT),
  ownOf(name),
  ...COMMON.slice(OWN_AT),
];

/** Sends the letter to everybody; the paths of each one's links, by the person's name. */
async function mailed(body: string): Promise<{ id: string; paths: Record<string, string[]> }> {
  const listId = (await api.call("POST", "/lists", { name: "Readers" })).body.data.id as string;
  for (const person of PEOPLE) {
    const { id } = (await api.call("POST", "/contacts", person)).body.data;
    await api.call("POST", `/lists/${listId}/contacts`, { contactIds: [id] });
  }
  const id = await makeCampaign(api, listId, { body });
  expect((await api.call("PATCH", `/campaigns/${id}/options`, { personalize: true })).status).toBe(200);
  expect((await send(api, id)).status).toBe(200);
  expect((await reportOf(api, id)).sent).toBe(PEOPLE.length);
  const ofOne = ({ raw }: { raw: string }): [string, string[]] => [
    headerOf(raw, "To")!.split("@")[0]!,
    [...decodedPart(raw, 1).matchAll(new RegExp(`href="${BASE_URL}(/c/[^"]+)"`, "g"))].map(([, at]) => at!),
  ];
  return { id, paths: Object.fromEntries(api.relay.accepted.map(ofOne)) };
}

const target = async (path: string): Promise<string | null> => {
  const answer = await fetch(api.url + path, { redirect: "manual" });
  return answer.status === 302 ? answer.headers.get("location") : null;
};
const targets = (paths: readonly string[]) => Promise.all(paths.map(target));
const kept = (): number => numberOf(api, "SELECT count(*) AS n FROM delivery_links");

test("a letter with one personal link keeps one row for each message, and every link leads where it led", async () => {
  const { paths } = await mailed(BODY);
  expect(kept()).toBe(PEOPLE.length);
  await writeTo(api, "UPDATE contacts SET first_name = 'changed'");
  api = await api.restart();
  for (const [name, ofOne] of Object.entries(paths)) expect(await targets(ofOne)).toEqual(linksOf(name));
  const [first = ""] = paths["a"] ?? [];
  for (const number of [COMMON.length + 1, 99, -1, -2, -7])
    expect(await target(first.replace(/0$/, String(number)))).toBeNull();
});

test("a message with fewer links than the others reaches its own, and none of the others'", async () => {
  const { paths } = await mailed(
    `<a href="${ownOf("{{ contact.firstName }}")}">x</a>{% if contact.firstName == "c" %}{% else %} <a href="https://shop.example.org/secret">y</a>{% endif %}`,
  );
  expect(await targets(paths["c"]!)).toEqual([ownOf("c")]);
  expect(await target(paths["c"]![0]!.replace(/0$/, "1"))).toBeNull();
  expect(await targets(paths["d"]!)).toEqual([ownOf("d"), "https://shop.example.org/secret"]);
});

test("links that an earlier version kept for each message, all of them, lead where they led", async () => {
  const { id, paths } = await mailed(BODY);
  const row = rowsOf(api, id).find(({ address }) => address.startsWith("d@"))!;
  const links = linksOf("earlier").slice(0, OWN_AT + 1);
  await writeTo(api, `DELETE FROM delivery_links WHERE delivery = ${row.seq}`);
  for (const [number, url] of links.entries())
    await writeTo(
      api,
      `INSERT INTO delivery_links (delivery, number, url) VALUES (${row.seq}, ${number}, '${url}')`,
    );
  expect(await targets(paths["d"]!.slice(0, OWN_AT + 1))).toEqual(links);
  expect(await targets(paths["d"]!.slice(OWN_AT + 1))).toEqual(COMMON.slice(OWN_AT).map(() => null));
});

describe("deleting a contact", () => {
  /** All of the database that could hold somebody's personal address. */
  const everywhere = (): string =>
    ["mailing_links", "delivery_links", "link_clicks"]
      .map((table) => JSON.stringify(rowsFrom(api, `SELECT * FROM ${table}`)))
      .join("\n");
  const remove = async (name: string): Promise<void> => {
    const { body } = await api.call("GET", `/contacts?q=${name}@links`);
    expect((await api.call("DELETE", `/contacts/${body.data[0].id}`)).status).toBe(204);
  };

  test.each(PEOPLE.map(({ firstName }) => firstName))(
    "erases the address of its personal link (%s), in the links that were clicked too; the others' links stay",
    async (name) => {
      const { id, paths } = await mailed(BODY);
      for (const ofOne of Object.values(paths)) await target(ofOne[OWN_AT]!);
      await api.services.tracking.drain();
      expect(everywhere()).toContain(ownOf(name));
      const clicked = (await api.call("GET", `/campaigns/${id}`)).body.data.stat.clicked;
      await remove(name);
      expect(everywhere()).not.toContain(ownOf(name));
      const expected = (of: string) =>
        linksOf(of).map((url) => (of === name && url === ownOf(name) ? null : url));
      for (const [of, ofOne] of Object.entries(paths)) expect(await targets(ofOne)).toEqual(expected(of));
      const { data } = (await api.call("GET", `/campaigns/${id}/links`)).body;
      const shown = data.map(({ url }: { url: string }) => url).filter((url: string) => url.includes("/of/"));
      const others = PEOPLE.map(({ firstName }) => firstName).filter((other) => other !== name);
      expect(shown.toSorted()).toEqual(others.map(ownOf));
      expect((await api.call("GET", `/campaigns/${id}`)).body.data.stat.clicked).toBe(clicked);
    },
  );

  test("erases it also where its click was not written yet", async () => {
    const { paths } = await mailed(BODY);
    await target(paths["b"]![OWN_AT]!);
    await remove("b");
    await api.services.tracking.drain();
    expect(everywhere()).not.toContain(ownOf("b"));
  });

  test("erases the links of a message that was compiled on its own", async () => {
    // This value decides how the page is read, so no two messages share a letter, and none says which link is personal.
    const { paths } = await mailed(`<input type="{{ contact.firstName }}">${BODY}`);
    expect(numberOf(api, "SELECT count(*) AS n FROM mailing_links WHERE url <> ''")).toBe(0);
    for (const [of, ofOne] of Object.entries(paths)) expect(await targets(ofOne)).toEqual(linksOf(of));
    await remove("a");
    expect(everywhere()).not.toContain(ownOf("a"));
    expect(await targets(paths["a"]!)).toEqual(linksOf("a").map(() => null));
    for (const of of ["b", "c", "d"]) expect(await targets(paths[of]!)).toEqual(linksOf(of));
  });
});
