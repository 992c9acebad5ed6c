import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import type { Media } from "#media/media.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const key = (n: number) =>
  ({
    id: `key_${n}`,
    name: "k",
    prefix: "p",
    scope: "full",
    hash: Buffer.from(`h${n}`),
    createdAt: 1,
  }) as const;
const any = () => accept(null);

let made = 0;
const template = (name: string) =>
  ({
    id: `tpl_${++made}`,
    name,
    subject: "S",
    format: "html",
    body: `<p>${name}</p>`,
    createdAt: made,
  }) as const;
const image = (token: string, bytes: number): Media => ({
  id: `med_${++made}`,
  name: "logo.png",
  type: "image/png",
  bytes,
  width: 4,
  height: 3,
  token,
  createdAt: made,
});

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`templates, media and tokens on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    beforeAll(async () => {
      opened = await engine.open();
      ({ stores } = opened);
      for (const [n, id] of ["ws_one", "ws_two", "ws_few"].entries())
        await stores.workspaces.create({ id, createdAt: 1 }, {}, key(n));
    });
    afterAll(() => opened.close());

    test("a template is found in its workspace only, and changed by a rule", async () => {
      const { templates } = stores;
      const one = template("Hello");
      const stored = { ...one, updatedAt: one.createdAt };
      expect(await templates.insert("ws_one", one, any)).toEqual(accept(stored));
      expect([await templates.find("ws_one", one.id), await templates.find("ws_two", one.id)]).toEqual([
        stored,
        null,
      ]);
      const content = { name: "Bye", subject: "T", format: "mjml", body: "<mjml></mjml>" } as const;
      expect(await templates.change("ws_one", one.id, () => content, 99)).toEqual({
        ...stored,
        ...content,
        updatedAt: 99,
      });
      expect(await templates.change("ws_one", one.id, (current) => current, 100)).toMatchObject({
        updatedAt: 99,
      });
      expect(await templates.change("ws_two", one.id, () => content, 101)).toBeNull();
      expect([await templates.delete("ws_two", one.id), await templates.delete("ws_one", one.id)]).toEqual([
        false,
        true,
      ]);
      expect([await templates.delete("ws_one", one.id), await templates.find("ws_one", one.id)]).toEqual([
        false,
        null,
      ]);
    });

    test("templates come newest first, without their bodies", async () => {
      const { templates } = stores;
      for (const name of ["a", "b", "c"]) await templates.insert("ws_two", template(name), any);
      const first = await templates.page("ws_two", { limit: 2, before: null });
      const second = await templates.page("ws_two", { limit: 2, before: first.nextPosition });
      const names = [...first.items, ...second.items].map(({ name }) => name);
      expect([names, first.total, second.nextPosition]).toEqual([["c", "b", "a"], 3, null]);
      expect(Object.keys(first.items[0]!)).not.toContain("body");
    });

    test("no more templates than the check allows, however many come at once", async () => {
      const { templates } = stores;
      const full = refuse("VALIDATION_ERROR", "full");
      const check = (count: number) => (count < 3 ? accept(null) : full);
      const added = await Promise.all(
        Array.from({ length: 12 }, () => templates.insert("ws_few", template("x"), check)),
      );
      expect(added.filter(({ ok }) => ok).length).toBe(3);
      expect((await templates.page("ws_few", { limit: 1, before: null })).total).toBe(3);
    });

    test("a file comes back byte for byte, and the same one is kept once", async () => {
      const { media } = stores;
      const content = new Uint8Array(600_000).map((_, n) => (n * 7 + (n >> 8)) % 256);
      const one = image("token_one", content.length);
      expect(await media.insert("ws_one", one, content)).toEqual(one);
      expect(await media.insert("ws_one", image("token_one", 9), new Uint8Array(9))).toEqual(one);
      const { number, ...shown } = (await media.findPublic("token_one"))!;
      expect(shown).toEqual(one);
      expect(Buffer.concat(await media.content(number).then((slices) => [...slices!])).equals(content)).toBe(
        true,
      );
      const twice = await Promise.all(
        Array.from({ length: 6 }, () => media.insert("ws_one", image("token_two", 3), new Uint8Array(3))),
      );
      expect(new Set(twice.map(({ id }) => id)).size).toBe(1);
      const page = await media.page("ws_one", { limit: 1, before: null });
      expect([page.total, page.items.map(({ token }) => token)]).toEqual([2, ["token_two"]]);
      expect((await media.page("ws_one", { limit: 1, before: page.nextPosition })).items).toEqual([one]);
      expect([await media.delete("ws_two", one.id), await media.delete("ws_one", one.id)]).toEqual([
        false,
        true,
      ]);
      expect([await media.content(number), await media.findPublic("token_one")]).toEqual([null, null]);
    });

    test("a token is used once in each workspace, and forgotten some time after its end", async () => {
      const { hookTokens } = stores;
      expect(await hookTokens.isUsed("ws_one", "t")).toBe(false);
      await Promise.all(Array.from({ length: 5 }, () => hookTokens.use("ws_one", "t", 100, 1)));
      expect([await hookTokens.isUsed("ws_one", "t"), await hookTokens.isUsed("ws_two", "t")]).toEqual([
        true,
        false,
      ]);
      await hookTokens.use("ws_two", "u", 300, 200);
      expect([await hookTokens.isUsed("ws_one", "t"), await hookTokens.isUsed("ws_two", "u")]).toEqual([
        false,
        true,
      ]);
    });

    test("figures are summed between instants, each with its own", async () => {
      await opened.run(
        `INSERT INTO activity_counts (workspace, at, sent, bounced, opened, clicked, unsubscribed, complained, new_contacts, events, returned, complained_elsewhere)
         SELECT seq, 900000, 5, 1, 2, 3, 4, 6, 7, 8, 9, 2 FROM workspaces WHERE id = 'ws_one'`,
      );
      await opened.run(
        `INSERT INTO activity_counts (workspace, at, sent, bounced, opened, clicked, unsubscribed, complained, new_contacts, events, returned, complained_elsewhere)
         SELECT seq, 1800000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM workspaces`,
      );
      const none = {
        bounced: 0,
        opened: 0,
        clicked: 0,
        unsubscribed: 0,
        complained: 0,
        newContacts: 0,
        events: 0,
        returned: 0,
        complainedElsewhere: 0,
      };
      const all = {
        bounced: 1,
        opened: 2,
        clicked: 3,
        unsubscribed: 4,
        complained: 6,
        newContacts: 7,
        events: 8,
        returned: 9,
        complainedElsewhere: 2,
      };
      expect(await stores.stats.between("ws_one", [0, 900_000, 1_800_000, 2_700_000])).toEqual([
        { sent: 0, ...none },
        { sent: 5, ...all },
        { sent: 1, ...none },
      ]);
      expect(await stores.stats.between("ws_one", [0, 2_700_000])).toEqual([{ sent: 6, ...all }]);
      expect(await stores.stats.between("ws_one", [5])).toEqual([]);
    });
  });
}
