import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import type { ContactStatus } from "#contacts/contact.ts";
import type { NewContact } from "#contacts/contact-input.ts";
import { planPatch, planPost, suppressionOnDelete } from "#contacts/contact-plan.ts";
import { invalid } from "#core/errors/errors.ts";
import { absent } from "#core/request/patch.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const ORIGIN = { source: "api", formId: null, clientAddress: null, userAgent: null } as const;
const AT = 5;

const asked = (email: string, more: Partial<NewContact> = {}): NewContact => ({
  email,
  firstName: undefined,
  lastName: undefined,
  tags: [],
  status: undefined,
  consent: undefined,
  attributes: undefined,
  ...more,
});

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`contacts on ${engine.name}, several requests at once`, () => {
    let opened: OpenedEngine;
    let contacts: OpenedEngine["stores"]["contacts"];
    let made = 0;

    const person = (input: NewContact) => ({
      email: input.email,
      fresh: { id: `con_${++made}`, createdAt: AT },
      setsAttributes: input.attributes !== undefined,
      input,
    });
    const post = async (input: NewContact, workspaceId = "ws_one") => {
      return await contacts.upsert(workspaceId, person(input), (found) => planPost(found, input, ORIGIN, AT));
    };
    const postAll = async (inputs: readonly NewContact[]) => {
      const [written] = await contacts.upsertAll("ws_one", [inputs.map(person)], null, ({ input }, found) =>
        planPost(found, input, ORIGIN, AT),
      );
      return written?.status === "fulfilled" ? written.value : undefined;
    };
    const patch = (id: string, more: Partial<NewContact>) =>
      contacts.change("ws_one", id, { setsAttributes: more.attributes !== undefined }, (found) => {
        const change = { ...asked(""), email: undefined, tags: undefined, ...more };
        return planPatch(found, { ...change, firstName: absent, lastName: absent }, ORIGIN, AT);
      });
    const optOut = (address: string) =>
      contacts.optOut(
        {
          workspaceId: "ws_one",
          address,
          contactId: null,
          origin: { ...ORIGIN, source: "unsubscribe" },
          at: AT,
        },
        decideOnOptOut,
      );
    const madeBy = async (input: NewContact) => {
      const answer = await post(input);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value.contact;
    };
    const statusOf = async (email: string): Promise<ContactStatus | undefined> =>
      (await contacts.page("ws_one", { status: null, tag: null, q: email }, { limit: 1, before: null }))
        .items[0]?.status;

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ contacts } = opened.stores);
    });
    afterAll(() => opened.close());

    test("an address gets one contact, and everybody else finds it", async () => {
      for (let round = 0; round < 4; round++) {
        const email = `same${round}@example.com`;
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) => post(asked(email, { attributes: { [`n${n}`]: n } }))),
        );
        const written = answers.map((answer) => (answer.ok ? answer.value : null));
        expect(written.filter((one) => one?.created)).toHaveLength(1);
        expect(new Set(written.map((one) => one?.contact.id)).size).toBe(1);
        const found = await contacts.find("ws_one", written[0]!.contact.id);
        expect(Object.keys(found!.attributes)).toHaveLength(10);
      }
    });

    test("an opt-out of somebody whom a status put out is logged once: only now they say it themselves", async () => {
      const optOuts = async (email: string): Promise<readonly string[]> => {
        const log = await contacts.consentLog(
          "ws_one",
          { email, contactId: null },
          { limit: 9, before: null },
        );
        return log.items.map(({ action, source }) => `${action} ${source}`);
      };
      const put = asked("put-out@example.com", { status: "UNSUBSCRIBED" });
      await post(put);
      expect([await optOut(put.email), await optOut(put.email)]).toEqual([true, false]);
      expect(await optOuts(put.email)).toEqual(["WITHDRAWN unsubscribe"]);
      const gone = await madeBy(asked("put-out-gone@example.com", { status: "UNSUBSCRIBED" }));
      await contacts.delete("ws_one", gone.id, suppressionOnDelete, AT);
      expect([await optOut(gone.email), await optOut(gone.email)]).toEqual([true, false]);
      expect(await optOuts(gone.email)).toEqual(["WITHDRAWN unsubscribe"]);
    });

    test("of requests at the same time one fails, one is refused, and the others are written", async () => {
      const upserted = async (n: number) => {
        const input = asked(`beside${n}@example.com`, { tags: ["beside"] });
        const answer = await contacts.upsert("ws_one", person(input), (found) => {
          if (n === 3) return invalid("refused");
          if (n === 7) throw new Error("failed");
          return planPost(found, input, ORIGIN, AT);
        });
        return answer.ok ? "written" : answer.refusal.message;
      };
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => upserted(n).catch((error: Error) => error.message)),
      );
      const others = Array.from({ length: 8 }, () => "written");
      expect(answers).toEqual([
        ...others.slice(0, 3),
        "refused",
        ...others.slice(0, 3),
        "failed",
        ...others.slice(0, 4),
      ]);
      const filter = { status: null, tag: "beside", q: null };
      const page = await contacts.page("ws_one", filter, { limit: 100, before: null });
      expect(page.total).toBe(10);
      expect(page.items).toHaveLength(10);
    });

    test("batches with the same addresses in other orders wait for each other or begin anew", async () => {
      const inputs = Array.from({ length: 20 }, (_, n) => asked(`batch${n}@example.com`));
      const answers = await Promise.all([inputs, inputs.toReversed(), inputs].map(postAll));
      const created = answers.flatMap((all) => all!.filter((one) => one.ok && one.value.created));
      expect(created).toHaveLength(20);
      const page = await contacts.page(
        "ws_one",
        { status: null, tag: null, q: "batch" },
        { limit: 100, before: null },
      );
      expect(page).toMatchObject({ total: 20, nextPosition: null });
    });

    test("changes of one contact lose nothing", async () => {
      const { id } = await madeBy(asked("changed@example.com", { attributes: { first: 1 } }));
      await Promise.all(Array.from({ length: 10 }, (_, n) => patch(id, { attributes: { [`n${n}`]: n } })));
      expect(Object.keys((await contacts.find("ws_one", id))!.attributes)).toHaveLength(11);
    });

    test("of many who want one address, one gets it, and the others are told", async () => {
      const all = await Promise.all(
        Array.from({ length: 5 }, (_, n) => madeBy(asked(`wants${n}@example.com`))),
      );
      const answers = await Promise.all(all.map(({ id }) => patch(id, { email: "wanted@example.com" })));
      expect(answers.filter((answer) => answer!.ok)).toHaveLength(1);
      const refused = answers.flatMap((answer) => (answer!.ok ? [] : [answer!.refusal.code]));
      expect(refused).toEqual(Array.from({ length: 4 }, () => "CONFLICT"));
    });

    test("who is made while the address opts out is out, whichever came first", async () => {
      for (let round = 0; round < 8; round++) {
        const email = `leaves${round}@example.com`;
        const opting =
          round % 2 === 0 ? [optOut(email), post(asked(email))] : [post(asked(email)), optOut(email)];
        await Promise.all(opting);
        expect([email, await statusOf(email)]).toEqual([email, "UNSUBSCRIBED"]);
      }
    });

    test("who is deleted while they are posted again comes back as they left", async () => {
      for (let round = 0; round < 6; round++) {
        const email = `back${round}@example.com`;
        const { id } = await madeBy(asked(email, { status: "UNSUBSCRIBED" }));
        const [deleted, ...posted] = await Promise.all([
          contacts.delete("ws_one", id, suppressionOnDelete, AT),
          post(asked(email)),
          post(asked(email)),
        ]);
        expect(deleted).toBe(true);
        const statuses = posted.map((answer) => (answer.ok ? answer.value.contact.status : null));
        expect(statuses).toEqual(["UNSUBSCRIBED", "UNSUBSCRIBED"]);
        expect(await contacts.find("ws_one", id)).toBeNull();
      }
    });

    test("an attribute that is taken off everybody is not put back by who changes another", async () => {
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          madeBy(asked(`off${n}@example.com`, { attributes: { city: "x" } })),
        ),
      );
      const { attributes } = opened.stores;
      await Promise.all([
        ...all.slice(0, 3).map(({ id }) => patch(id, { attributes: { other: 1 } })),
        attributes.remove("ws_one", "city"),
        ...all.slice(3).map(({ id }) => patch(id, { attributes: { other: 1 } })),
      ]);
      const uses = await attributes.list("ws_one");
      expect(uses.filter(({ name }) => name === "city" || name === "other")).toEqual([
        { name: "other", types: ["number"], contacts: 6 },
      ]);
      expect(await attributes.remove("ws_one", "city")).toBe(false);
    });

    test("a workspace gets no more names of attributes than it may have", async () => {
      for (let n = 0; n < 5; n++) {
        const names = Array.from({ length: n === 4 ? 97 : 100 }, (_, i) => [`n${n}_${i}`, i]);
        const input = asked(`names${n}@example.com`, { attributes: Object.fromEntries(names) });
        expect((await post(input, "ws_two")).ok).toBe(true);
      }
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          post(asked(`more${n}@example.com`, { attributes: { [`more${n}`]: n } }), "ws_two"),
        ),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
      expect(await opened.stores.attributes.list("ws_two")).toHaveLength(500);
    });

    test("a batch for a list that is not there writes nothing", async () => {
      const people = [person(asked("nolist@example.com"))];
      const decide = (one: (typeof people)[0], found: Parameters<typeof planPost>[0]) =>
        planPost(found, one.input, ORIGIN, AT);
      const joining = { listId: "list_none", at: AT };
      expect(await contacts.upsertAll("ws_one", [people], joining, decide)).toEqual([
        { status: "fulfilled", value: null },
      ]);
      expect(await statusOf("nolist@example.com")).toBeUndefined();
      expect(await contacts.upsertAll("ws_one", [[]], null, decide)).toEqual([
        { status: "fulfilled", value: [] },
      ]);
    });
  });
}
