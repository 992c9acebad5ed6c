import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCaptureServer, type CaptureServer } from "#mail/capture/capture-server.ts";
import { tellingTrouble } from "#mail/capture/capture-trouble.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import { readCaptured } from "#mail/mime/read-message.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { atTheDot, openSession, toAda } from "../../support/sending/relay.ts";

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "captured-")), "mailbox");
});
afterEach(() => rmSync(join(directory, ".."), { recursive: true, force: true }));

const letter = (subject: string, workspaceId: string | null = null) => ({
  workspaceId,
  from: toAda.from,
  to: [toAda.to],
  raw: Buffer.from(`Subject: ${subject}\r\nTo: ada@example.com\r\n\r\nHello \xff\r\n`, "latin1"),
});

describe("captured mail", () => {
  test("keeps every byte, the envelope and the time it came", async () => {
    const clock = manualClock();
    const mailbox = await openCapturedMail(directory, clock);
    const receivedAt = clock.now();
    await mailbox.keep(letter("=?utf-8?q?Gr=C3=BC=C3=9Fe?="));
    const kept = await mailbox.read(1);
    expect(kept).toMatchObject({ number: 1, from: toAda.from, to: [toAda.to], receivedAt, subject: "Grüße" });
    expect(kept?.raw).toEqual(letter("=?utf-8?q?Gr=C3=BC=C3=9Fe?=").raw);
    expect((await readCaptured(kept?.raw ?? Buffer.alloc(0)))?.to).toMatchObject([
      { address: "ada@example.com" },
    ]);
    expect(readdirSync(directory).toSorted()).toEqual(["000000000001.eml", "000000000001.json"]);
  });

  test("is listed newest first and paged by number", async () => {
    const mailbox = await openCapturedMail(directory, manualClock());
    for (let i = 1; i <= 5; i++) await mailbox.keep(letter(`Letter ${i}`));
    const subjects = async (limit: number, before?: number): Promise<string[]> =>
      (await mailbox.page(limit, before)).map(({ subject }) => subject);
    expect(await subjects(2)).toEqual(["Letter 5", "Letter 4"]);
    expect(await subjects(2, 4)).toEqual(["Letter 3", "Letter 2"]);
    expect(await subjects(10, 2)).toEqual(["Letter 1"]);
    expect(await subjects(10, 1)).toEqual([]);
    expect(await mailbox.read(6)).toBeNull();
  });

  test("is listed from its envelopes alone, however large the messages are", async () => {
    const clock = manualClock();
    const mailbox = await openCapturedMail(directory, clock);
    await mailbox.keep(letter("=?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n von Ada"));
    await mailbox.keep({ ...letter("Ada"), raw: Buffer.from("To: a\r\n\r\nSubject: of the text\r\n") });
    await mailbox.keep({ ...letter("Ada"), raw: Buffer.from("\r\nSubject: of the text\r\n\r\nx\r\n") });
    const summaries = await mailbox.page(10);
    expect(summaries).toMatchObject([
      { number: 3, subject: "", sizeBytes: 29 },
      { number: 2, subject: "", sizeBytes: 31 },
      { number: 1, subject: "Grüße von Ada", receivedAt: clock.now(), from: toAda.from, to: [toAda.to] },
    ]);
    for (const number of [1, 2, 3])
      writeFileSync(join(directory, `00000000000${number}.eml`), "Subject: Not read\r\n\r\n");
    expect(await (await openCapturedMail(directory, clock)).page(10)).toEqual(summaries);
  });

  test("of earlier versions is listed by the beginning of the message: the rest is not read", async () => {
    await (await openCapturedMail(directory, manualClock())).keep(letter("=?utf-8?q?Caf=C3=A9?=", "ws_ada"));
    const json = join(directory, "000000000001.json");
    const { from, to, workspaceId, receivedAt } = JSON.parse(readFileSync(json, "utf8"));
    writeFileSync(json, JSON.stringify({ from, to, workspaceId, receivedAt }));
    // More than a process can read into memory; on the disk it is a hole.
    const sizeBytes = 6 * 1024 ** 3;
    truncateSync(join(directory, "000000000001.eml"), sizeBytes);
    const mailbox = await openCapturedMail(directory, manualClock());
    expect(await mailbox.page(10)).toMatchObject([{ number: 1, sizeBytes, subject: "Café" }]);
  });

  test("whose envelope a power cut left empty is lost, and keeps no other from being read", async () => {
    const clock = manualClock();
    const mailbox = await openCapturedMail(directory, clock);
    for (let i = 1; i <= 3; i++) await mailbox.keep(letter(`Letter ${i}`, "ws_ada"));
    writeFileSync(join(directory, "000000000002.json"), "");
    const again = await openCapturedMail(directory, clock);
    const numbers = async (workspaceId: string | null) =>
      (await again.page(10, null, workspaceId)).map(({ number }) => number);
    expect([await numbers(null), await numbers("ws_ada"), await again.read(2)]).toEqual([
      [3, 1],
      [3, 1],
      null,
    ]);
  });

  test("is listed for one workspace, however far apart its messages lie; also after a restart", async () => {
    const kept = await openCapturedMail(directory, manualClock());
    for (let i = 1; i <= 130; i++)
      await kept.keep(letter(`Letter ${i}`, i % 60 === 1 ? "ws_ada" : i % 2 ? "ws_grace" : null));
    for (const mailbox of [kept, await openCapturedMail(directory, manualClock())]) {
      const numbers = async (...asked: Parameters<typeof mailbox.page>) =>
        (await mailbox.page(...asked)).map(({ number }) => number);
      expect(await numbers(10, null, "ws_ada")).toEqual([121, 61, 1]);
      expect(await numbers(2, null, "ws_ada")).toEqual([121, 61]);
      expect(await numbers(10, 121, "ws_ada")).toEqual([61, 1]);
      expect(await numbers(10, null, "ws_linus")).toEqual([]);
      expect(await numbers(3)).toEqual([130, 129, 128]);
      expect((await mailbox.read(61))?.workspaceId).toBe("ws_ada");
    }
  });

  test("keeps only the newest, and no file of the others", async () => {
    const mailbox = await openCapturedMail(directory, manualClock(), 3);
    await Promise.all(Array.from({ length: 10 }, (_, i) => mailbox.keep(letter(`Letter ${i + 1}`))));
    expect((await mailbox.page(10)).map(({ number }) => number)).toEqual([10, 9, 8]);
    expect(readdirSync(directory)).toHaveLength(6);
    expect(await mailbox.read(7)).toBeNull();
  });

  test("survives a restart, and goes on counting", async () => {
    const before = await openCapturedMail(directory, manualClock());
    await before.keep(letter("First"));
    await before.keep(letter("Second"));
    const mailbox = await openCapturedMail(directory, manualClock());
    await mailbox.keep(letter("Third"));
    expect((await mailbox.page(10)).map(({ number, subject }) => [number, subject])).toEqual([
      [3, "Third"],
      [2, "Second"],
      [1, "First"],
    ]);
  });

  test("never shows what a killed process left half written, and clears it away", async () => {
    await (await openCapturedMail(directory, manualClock())).keep(letter("Whole"));
    const halves = [
      ".000000000002.eml.part",
      ".000000000002.json.part",
      "000000000003.json",
      "000000000004.eml",
    ];
    for (const name of halves) writeFileSync(join(directory, name), "Subject: Ha");
    const others = ["202611291200.jpg", ".202611291200.eml.swp", "202611291200.eml.bak", "notes.txt"];
    for (const name of others) writeFileSync(join(directory, name), "not ours");
    const mailbox = await openCapturedMail(directory, manualClock());
    expect((await mailbox.page(10)).map(({ subject }) => subject)).toEqual(["Whole"]);
    expect(readdirSync(directory).toSorted()).toEqual(
      ["000000000001.eml", "000000000001.json", ...others].toSorted(),
    );
    await mailbox.keep(letter("Next"));
    expect(await mailbox.page(10)).toHaveLength(2);
  });

  test("leaves no file of a message that could not be kept, and names the directory", async () => {
    const mailbox = await openCapturedMail(directory, manualClock());
    // Neither a message's name nor the one before it can be had.
    mkdirSync(join(directory, "000000000001.eml"));
    mkdirSync(join(directory, ".000000000002.json.part"));
    for (const subject of ["First", "Second"])
      expect(await mailbox.keep(letter(subject)).catch((error: unknown) => error)).toMatchObject({
        path: directory,
      });
    expect(readdirSync(directory).toSorted()).toEqual([".000000000002.json.part", "000000000001.eml"]);
    await mailbox.keep(letter("Third"));
    expect((await mailbox.page(10)).map(({ subject }) => subject)).toEqual(["Third"]);
  });

  test("is kept once even if an old one cannot be removed", async () => {
    const mailbox = await openCapturedMail(directory, manualClock(), 1);
    await mailbox.keep(letter("First"));
    rmSync(join(directory, "000000000001.eml"));
    mkdirSync(join(directory, "000000000001.eml"));
    await mailbox.keep(letter("Second"));
    expect((await mailbox.page(10)).map(({ subject }) => subject)).toEqual(["Second"]);
  });

  test("makes its directory again if somebody removed it to empty the mailbox", async () => {
    const mailbox = await openCapturedMail(directory, manualClock());
    await mailbox.keep(letter("First"));
    rmSync(directory, { recursive: true });
    await Promise.all([mailbox.keep(letter("Second")), mailbox.keep(letter("Third"))]);
    expect(await mailbox.page(10)).toHaveLength(2);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    // But not the one around it: a disk that is missing there comes back.
    rmSync(join(directory, ".."), { recursive: true });
    expect(await mailbox.keep(letter("Fourth")).catch((error: unknown) => error)).toMatchObject({
      code: "ENOENT",
    });
    expect(existsSync(join(directory, ".."))).toBeFalse();
  });
});

describe("the server that captures", () => {
  let server: CaptureServer | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  test("hands each message to the store before it says 250", async () => {
    const mailbox = await openCapturedMail(directory, manualClock());
    server = await startCaptureServer(mailbox);
    expect(server.url).toStartWith("smtp://127.0.0.1:");
    const session = await openSession(server.url);
    const text = "Subject: Caught\r\n\r\n.one\r\n..two\r\n.\r\n";
    const offer = await atTheDot(session, text);
    expect(await mailbox.page(10)).toEqual([]);
    expect(await offer.finish()).toMatchObject({
      reply: { code: 250, text: expect.stringContaining("not delivered") },
    });
    const kept = await mailbox.read(1);
    expect(kept).toMatchObject({ from: toAda.from, to: [toAda.to], subject: "Caught" });
    expect(kept?.raw.toString()).toBe(text);
    void session.close();
  });

  test("takes 5 MiB, and refuses for good what is far too large", async () => {
    const sizes: number[] = [];
    server = await startCaptureServer({ keep: async ({ raw }) => void sizes.push(raw.length) });
    const session = await openSession(server.url);
    const large = Buffer.alloc(5 * 1024 * 1024, `${"x".repeat(76)}\r\n`);
    expect(await (await atTheDot(session, large)).finish()).toMatchObject({ reply: { code: 250 } });
    expect(await session.offer(toAda, Buffer.alloc(17 * 1024 * 1024, `${"x".repeat(76)}\r\n`))).toMatchObject(
      {
        ok: false,
        failure: { stage: "MAIL", reply: { code: 552 } },
      },
    );
    expect(sizes).toHaveLength(1);
    void session.close();
  });

  test("joins the pieces of a message as they come: each line that begins with a dot is one", async () => {
    const sizes: number[] = [];
    server = await startCaptureServer({ keep: async ({ raw }) => void sizes.push(raw.length) });
    const session = await openSession(server.url);
    const joined = spyOn(Buffer, "concat");
    const text = Buffer.alloc(60_000, ".\r\n");
    expect(await (await atTheDot(session, text)).finish()).toMatchObject({ reply: { code: 250 } });
    const most = Math.max(0, ...joined.mock.calls.map(([pieces]) => pieces.length));
    joined.mockRestore();
    expect(most).toBeLessThan(100);
    expect(sizes).toEqual([text.length]);
    void session.close();
  });

  test("says 451 when the store fails, and goes on", async () => {
    let full = true;
    server = await startCaptureServer({
      keep: async () => {
        if (full) throw new Error("ENOSPC: no space left on /secret/path");
      },
    });
    const session = await openSession(server.url);
    const outcome = await (await atTheDot(session, "Subject: Hi\r\n\r\n")).finish();
    expect(outcome).toMatchObject({ reply: { code: 451 } });
    expect(JSON.stringify(outcome)).not.toContain("/secret");
    full = false;
    expect(await (await atTheDot(session, "Subject: Hi\r\n\r\n")).finish()).toMatchObject({
      reply: { code: 250 },
    });
    void session.close();
  });

  test("says in the log why mail cannot be kept, once until it is kept again", async () => {
    const mailbox = await openCapturedMail(directory, manualClock());
    const lines: unknown[] = [];
    const line = (message: string, fields?: object) => void lines.push({ message, ...fields });
    const store = tellingTrouble(mailbox, { info: line, error: line });
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "a file");
    const keep = () => store.keep(letter("Hello")).catch(() => "refused");
    expect([await keep(), await keep()]).toEqual(["refused", "refused"]);
    rmSync(directory);
    await keep();
    await keep();
    expect(lines).toEqual([
      {
        message: "captured mail cannot be kept, so it waits",
        reason: `${directory}: a part of its name is a file, not a directory`,
      },
      { message: "captured mail is kept again" },
    ]);
  });

  test("keeps nothing of a message whose dot never came", async () => {
    const mailbox = await openCapturedMail(directory, manualClock());
    server = await startCaptureServer(mailbox);
    const session = await openSession(server.url);
    await atTheDot(session, "Subject: Never\r\n\r\n");
    session.destroy();
    await server.close();
    server = null;
    expect(await mailbox.page(10)).toEqual([]);
  });
});
