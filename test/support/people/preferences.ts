/** Readers with a link to the preferences page, and everything of them that it may change. */
import { expect } from "bun:test";
import type { TestApi } from "../server/api.ts";
import { elementsOf } from "../browser/page-checks.ts";
import { listOf, suppressions } from "./people.ts";
import { startReaders, tokenOf, type Letter, type ReadersApi } from "./readers.ts";
import { parse } from "parse5";

export type PreferencesApi = ReadersApi & {
  /** Public lists, oldest first, and one that is not public. */
  readonly lists: { readonly news: string; readonly offers: string; readonly hidden: string };
  /** Somebody who was mailed, on these lists. */
  newReader(on?: readonly string[], fields?: object): Promise<Reader>;
  /** Everything of a reader that the page may change. */
  standing(reader: Reader): Promise<Standing>;
  choose(reader: Reader, form: Form, headers?: Record<string, string>): Promise<Response>;
};

export type Reader = Letter & {
  readonly address: string;
  readonly contactId: string;
  readonly campaignId: string;
  readonly path: string;
};

export type Form = Readonly<Record<string, string | readonly string[]>>;

type Standing = {
  readonly status: string | undefined;
  readonly name: string;
  /** Names of lists, without the one that the mail went to. */
  readonly on: readonly string[];
  readonly suppressed: string | undefined;
  /** `ACTION source list`, oldest first; `*` is all marketing mail. */
  readonly log: readonly string[];
};

export async function startPreferences(): Promise<PreferencesApi> {
  const api = await startReaders();
  const lists = {
    news: await listOf(api, "News"),
    offers: await listOf(api, "Internal: offers 2026"),
    hidden: await listOf(api, "Hidden"),
  };
  await makePublic(api, lists.news);
  await makePublic(api, lists.offers, { publicName: "Offers", description: "At most one a week." });
  let readers = 0;
  return {
    ...api,
    lists,
    async newReader(on = [], fields = {}) {
      const address = `reader-${++readers}@example.com`;
      const { letters, contactIds, campaignId, listId } = await api.mailTo([address]);
      const [contactId] = contactIds;
      for (const list of on) await api.call("POST", `/lists/${list}/contacts`, { contactId });
      if (Object.keys(fields).length > 0) await api.call("PATCH", `/contacts/${contactId}`, fields);
      await api.call("DELETE", `/lists/${listId}/contacts/${contactId}`);
      const [letter] = letters;
      return {
        ...letter!,
        address,
        contactId: contactId!,
        campaignId,
        path: `/p/${tokenOf(letter!.unsubscribe)}`,
      };
    },
    async standing({ address, contactId }) {
      const contact = (await api.call("GET", `/contacts/${contactId}`)).body.data;
      const on = (await api.call("GET", `/contacts/${contactId}/lists`)).body.data ?? [];
      const consents = (await api.call("GET", `/consents?email=${address}&limit=100`)).body.data;
      const names = Object.entries(lists);
      const nameOf = (id: string | null) => names.find(([, known]) => known === id)?.[0] ?? id ?? "*";
      return {
        status: contact?.status,
        name: `${contact?.firstName ?? ""} ${contact?.lastName ?? ""}`.trim(),
        on: on.map(({ id }: { id: string }) => nameOf(id)).toSorted(),
        suppressed: (await suppressions(api))[address],
        log: consents
          .toReversed()
          .map(({ action, source, listId }: any) => `${action} ${source} ${nameOf(listId)}`),
      };
    },
    choose: (reader, form, headers = {}) =>
      api.visit(reader.path, { method: "POST", body: encoded(form), headers }),
  };
}

export const encoded = (form: Form): URLSearchParams =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : value).map((one): [string, string] => [name, one]),
    ),
  );

export async function makePublic(api: TestApi, list: string, more: object = {}): Promise<void> {
  const answer = await api.call("PATCH", `/lists/${list}/options`, { public: true, ...more });
  expect(answer.status).toBe(200);
}

/** The form of a page, as a browser would send it if the person changes nothing. */
export function formIn(page: string): { boxes: Record<string, boolean>; fields: Record<string, string> } {
  const inputs = elementsOf(parse(page))
    .filter(({ tagName }) => tagName === "input")
    .map(({ attrs }) => Object.fromEntries(attrs.map(({ name, value }) => [name, value])));
  const boxes = inputs.filter(({ type }) => type === "checkbox");
  return {
    boxes: Object.fromEntries(boxes.map(({ value, checked }) => [value!, checked !== undefined])),
    fields: Object.fromEntries(
      inputs.filter(({ type }) => type !== "checkbox").map(({ name, value }) => [name!, value ?? ""]),
    ),
  };
}
