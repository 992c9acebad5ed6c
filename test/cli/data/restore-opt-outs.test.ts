/** A restore undoes what was done since the backup. Who left in that time is not asked again: they stay out. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { startPreferences, type PreferencesApi, type Reader } from "../../support/people/preferences.ts";
import { derivedTablesAgree, listOf, suppressions } from "../../support/people/people.ts";
import { tokenOf } from "../../support/people/readers.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

let api: PreferencesApi;
let other: ReturnType<typeof temporaryDirectory>;
let file = "";
beforeEach(async () => {
  api = await startPreferences();
  other = temporaryDirectory();
  file = `${other.path}/backup.db`;
});
afterEach(() => {
  rmSync(api.dataDir, { recursive: true, force: true });
  other.remove();
});

const backUp = async () => expect((await postrider(api.dataDir, ["backup", file])).code).toBe(0);

/** Restores the backup, and starts a server on it. */
async function restored(): Promise<{ out: string; next: TestApi }> {
  await api.stop({ keep: true });
  const { code, out, err } = await postrider(api.dataDir, ["restore", file, "--force"]);
  expect([code, err]).toEqual([0, ""]);
  return { out, next: await startApi({ home: api }) };
}

const statusOf = async (on: TestApi, { contactId }: Reader): Promise<string> =>
  (await on.call("GET", `/contacts/${contactId}`)).body.data.status;
const listsOf = async (on: TestApi, { contactId }: Reader): Promise<string[]> =>
  (await on.call("GET", `/contacts/${contactId}/lists`)).body.data.map(({ name }: { name: string }) => name);

describe.skipIf(needsSqlite("PostgreSQL has backups of its own"))("after a restore", () => {
  test("nobody is mailed who left, complained, bounced or was suppressed since the backup", async () => {
    const [left, declined, complained, bounced, stays] = [
      await api.newReader(),
      await api.newReader(),
      await api.newReader(),
      await api.newReader(),
      await api.newReader(),
    ];
    await backUp();
    await api.choose(left, { leave: "everything" });
    const { address } = declined;
    await api.call("POST", "/contacts", { email: address, consent: "declined" });
    // Whoever takes them off the list again does not make them a subscriber.
    await api.call("DELETE", `/suppressions/${address}`);
    await api.call("POST", "/suppressions", { email: complained.address, reason: "COMPLAINT" });
    await api.call("PATCH", `/contacts/${bounced.contactId}`, { status: "BOUNCED" });
    await api.call("POST", "/suppressions", { email: "stranger@example.com" });
    const suppressed = await suppressions(api);

    const { out, next } = await restored();
    expect(out).toContain("5 addresses that left, bounced or were suppressed since then stay out");
    expect(await suppressions(next)).toEqual(suppressed);
    expect(
      await Promise.all([left, declined, bounced, stays].map((reader) => statusOf(next, reader))),
    ).toEqual(["UNSUBSCRIBED", "UNSUBSCRIBED", "BOUNCED", "SUBSCRIBED"]);
    for (const reader of [left, declined, complained, bounced])
      expect((await next.call("GET", `/contacts/${reader.contactId}/mailable`)).body.data.mailable).toBe(
        false,
      );
    expect(derivedTablesAgree(next)).toBe(true);
    await next.stop({ keep: true });
  });

  test("who left one list since is not on it, and an import does not put them back", async () => {
    const { news } = api.lists;
    const reader = await api.newReader([news]);
    const back = await api.newReader([news]);
    const stays = await api.newReader([news]);
    await backUp();
    await api.choose(reader, { shown: news });
    await api.choose(back, { shown: news });
    await api.choose(back, { shown: news, lists: news });
    const { out, next } = await restored();
    expect(out).toContain("1 address that left, bounced or was suppressed since then stays out");
    expect([await listsOf(next, reader), await statusOf(next, reader)]).toEqual([[], "SUBSCRIBED"]);
    expect([await listsOf(next, back), await listsOf(next, stays)]).toEqual([["News"], ["News"]]);
    await next.stop({ keep: true });
    const csv = `${other.path}/people.csv`;
    writeFileSync(csv, `email,status\n${reader.address},SUBSCRIBED\n`);
    const imported = await postrider(api.dataDir, ["import", "contacts", csv, "--list", news]);
    expect(imported.code).toBe(0);
    const last = await startApi({ home: api });
    expect(await listsOf(last, reader)).toEqual([]);
    await last.stop({ keep: true });
  });

  test("it is as if they had left then: by whom, off all lists, also under another address, and whole domains", async () => {
    const { news } = api.lists;
    const [left, moved] = [await api.newReader([news]), await api.newReader([news])];
    await backUp();
    await api.choose(left, { leave: "everything" });
    await api.call("DELETE", `/suppressions/${left.address}`);
    await api.call("PATCH", `/contacts/${moved.contactId}`, { email: "elsewhere@example.com" });
    await api.call("POST", "/contacts", { email: "elsewhere@example.com", consent: "declined" });
    await api.call("POST", "/suppressions", { email: "stranger@example.com" });
    await api.call("POST", "/blocked-domains", { domain: "blocked.example" });
    const sources = async (on: TestApi) => (await on.call("GET", "/suppressions")).body.data;
    const wanted = await sources(api);

    const { next } = await restored();
    for (const reader of [left, moved])
      expect([await statusOf(next, reader), await listsOf(next, reader)]).toEqual(["UNSUBSCRIBED", []]);
    expect(await sources(next)).toEqual(wanted);
    expect((await next.call("GET", "/blocked-domains")).body.data).toMatchObject([
      { domain: "blocked.example" },
    ]);
    expect(derivedTablesAgree(next)).toBe(true);
    await next.stop({ keep: true });
  });

  test("who joined and left a list since is not put back by an import, and who was deleted and made anew is off it", async () => {
    const { news } = api.lists;
    const [joined, anew] = [await api.newReader(), await api.newReader([news])];
    await backUp();
    await api.call("POST", `/lists/${news}/contacts`, { contactId: joined.contactId });
    await api.choose(joined, { shown: news });
    await api.call("DELETE", `/contacts/${anew.contactId}`);
    const { letters, contactIds } = await api.mailTo([anew.address]);
    await api.call("POST", `/lists/${news}/contacts`, { contactIds });
    await api.choose({ ...anew, path: `/p/${tokenOf(letters[0]!.unsubscribe)}` }, { shown: news });
    await (await restored()).next.stop({ keep: true });
    const csv = `${other.path}/people.csv`;
    writeFileSync(csv, `email,status\n${joined.address},SUBSCRIBED\n${anew.address},SUBSCRIBED\n`);
    expect((await postrider(api.dataDir, ["import", "contacts", csv, "--list", news])).code).toBe(0);
    const last = await startApi({ home: api });
    expect([await listsOf(last, joined), await listsOf(last, anew)]).toEqual([[], []]);
    await last.stop({ keep: true });
  });

  test("what can still be read of a damaged database is taken over, and it says that the rest is not", async () => {
    const left = await api.newReader();
    const ofKey = async (...args: string[]) =>
      JSON.parse((await postrider(api.dataDir, ["key", ...args, "--json"])).out);
    const { id } = await ofKey("create", "--name", "Stolen");
    await backUp();
    await ofKey("revoke", id);
    await api.choose(left, { leave: "everything" });
    await api.stop({ keep: true });
    const sqlite = new Database(`${api.dataDir}/postrider.db`);
    sqlite.run("ALTER TABLE suppressions RENAME TO lost");
    sqlite.close();
    const { out } = await postrider(api.dataDir, ["restore", file, "--force"]);
    expect(out).toContain("1 API key that was revoked since then stays revoked");
    expect(out).toContain("may be mailed again");
    const next = await startApi({ home: api });
    expect(await statusOf(next, left)).toBe("UNSUBSCRIBED");
    await next.stop({ keep: true });
  });

  test("nothing is restored where the database that is replaced cannot be read for now", async () => {
    const left = await api.newReader();
    await backUp();
    await api.choose(left, { leave: "everything" });
    await api.stop({ keep: true });
    // SQLite cannot open the file, and says no more than that, as of a wrong owner or too many open files.
    mkdirSync(`${api.dataDir}/postrider.db-wal`);
    const refused = await postrider(api.dataDir, ["restore", file, "--force"]);
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("move it to another") });
    expect(readdirSync(api.dataDir).filter((name) => /part|replaced/.test(name))).toEqual([]);
    rmdirSync(`${api.dataDir}/postrider.db-wal`);
    const again = await postrider(api.dataDir, ["restore", file, "--force"]);
    expect(again.out).toContain("1 address that left");
    const next = await startApi({ home: api });
    expect(await statusOf(next, left)).toBe("UNSUBSCRIBED");
    await next.stop({ keep: true });
  });

  test("nothing is restored where the database lies on a disk that is not there for now", async () => {
    const left = await api.newReader();
    await backUp();
    await api.choose(left, { leave: "everything" });
    await api.stop({ keep: true });
    const [database, disk] = [`${api.dataDir}/postrider.db`, `${api.dataDir}/disk`];
    mkdirSync(disk);
    renameSync(database, `${disk}/postrider.db`);
    symlinkSync(`${disk}/postrider.db`, database);
    renameSync(disk, `${disk}-away`);
    for (const flags of [[], ["--force"]]) {
      const refused = await postrider(api.dataDir, ["restore", file, ...flags]);
      expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("leads to no file") });
    }
    renameSync(`${disk}-away`, disk);
    const again = await postrider(api.dataDir, ["restore", file, "--force"]);
    expect(again.out).toContain("1 address that left");
    const next = await startApi({ home: api });
    expect(await statusOf(next, left)).toBe("UNSUBSCRIBED");
    await next.stop({ keep: true });
  });

  test("what the backup has against mailing somebody is never loosened", async () => {
    const [out, strong] = [await api.newReader(), await api.newReader()];
    await api.call("POST", "/suppressions", { email: strong.address, reason: "COMPLAINT" });
    await api.choose(out, { leave: "everything" });
    await backUp();
    await api.call("DELETE", `/suppressions/${strong.address}`);
    await api.call("POST", "/suppressions", { email: strong.address, reason: "UNSUBSCRIBED" });
    await api.call("POST", "/contacts", { email: out.address, status: "SUBSCRIBED", consent: "explicit" });
    const { out: says, next } = await restored();
    expect(says).toContain("0 addresses that left");
    expect(await suppressions(next)).toMatchObject({
      [strong.address]: "COMPLAINT",
      [out.address]: "UNSUBSCRIBED",
    });
    await next.stop({ keep: true });
  });

  test("it says that who left is back where there is no database to learn it from", async () => {
    await listOf(api, "Offers");
    await backUp();
    await api.stop({ keep: true });
    const elsewhere = await postrider(`${other.path}/new`, ["restore", file, "--json"]);
    expect(JSON.parse(elsewhere.out).optOuts).toBeNull();
    const again = await postrider(`${other.path}/newer`, ["restore", file]);
    expect(again.out).toContain("may be mailed again");
  });
});
