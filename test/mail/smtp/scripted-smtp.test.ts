import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atTheDot, openSession } from "../../support/sending/relay.ts";
import { scriptedSmtp, type Accepted, type ScriptedSmtp } from "../../support/sending/scripted-smtp.ts";

let server: ScriptedSmtp;
afterEach(() => server.stop());

/** Everything the server answers to these raw bytes, until it hangs up. */
function say(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

const codes = (answer: string): string[] =>
  answer.split("\r\n").flatMap((line) => /^(\d{3}) /.exec(line)?.[1] ?? []);
const envelope = "EHLO x\r\nMAIL FROM:<bounces@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";

describe("the scripted SMTP server judges rightly", () => {
  const conversations: [name: string, text: string, codes: string[], raws: string[]][] = [
    [
      "a pipelined message",
      `${envelope}a\r\n..b\r\n.\r\nQUIT\r\n`,
      ["220", "250", "250", "250", "354", "250", "221"],
      ["a\r\n.b\r\n"],
    ],
    ["an empty message", `${envelope}.\r\nQUIT\r\n`, ["220", "250", "250", "250", "354", "250", "221"], [""]],
    ["a bare LF in a command", "EHLO x\nMAIL FROM:<a@b>\r\n", ["220", "500"], []],
    [
      "a smuggled end: LF . LF",
      `${envelope}a\n.\nb\r\n.\r\nQUIT\r\n`,
      ["220", "250", "250", "250", "354", "550", "221"],
      [],
    ],
    [
      "a smuggled end: CR . CR",
      `${envelope}a\r.\rb\r\n.\r\nQUIT\r\n`,
      ["220", "250", "250", "250", "354", "550", "221"],
      [],
    ],
    ["a message without its dot", `${envelope}a\r\nQUIT\r\n`, ["220", "250", "250", "250", "354"], []],
    [
      "RSET",
      "MAIL FROM:<a@b>\r\nRSET\r\nNOOP\r\nRCPT TO:<c@d>\r\nQUIT\r\n",
      ["220", "250", "250", "250", "503", "221"],
      [],
    ],
    [
      "commands out of order",
      "DATA\r\nMAIL FROM:<a@b>\r\nMAIL FROM:<a@b>\r\nDATA\r\nWHAT\r\nQUIT\r\n",
      ["220", "503", "250", "503", "503", "502", "221"],
      [],
    ],
  ];
  test.each(conversations)("%s", async (_name, text, expected, raws) => {
    server = scriptedSmtp();
    const answer = say(server.port, text);
    // The one that never ends its message is cut from here.
    if (text.endsWith("a\r\nQUIT\r\n")) void server.reached("BODY").then(() => server.stop());
    expect(codes(await answer)).toEqual(expected);
    expect(server.accepted.map(({ raw }) => raw)).toEqual(raws);
  });

  test("a message split at every byte is the same message", async () => {
    server = scriptedSmtp();
    const text = `${envelope}.\r\n${envelope.slice(8)}a\r\n..\r\n.b\r\n.\r\nQUIT\r\n`;
    const answer = new Promise<string>((resolve) => {
      let heard = "";
      const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true }, () => {
        void [...text].reduce(
          (before, byte) =>
            before.then(() => new Promise((written) => void socket.write(byte, () => written()))),
          Promise.resolve(),
        );
      });
      socket.on("data", (chunk) => (heard += chunk.toString()));
      socket.on("close", () => resolve(heard));
    });
    expect(codes(await answer)).toEqual([
      "220",
      "250",
      "250",
      "250",
      "354",
      "250",
      "250",
      "250",
      "354",
      "250",
      "221",
    ]);
    expect(server.accepted.map(({ raw }) => raw)).toEqual(["", "a\r\n.\r\nb\r\n"]);
  });

  test("a rule decides per message, and its log is written before the dot is answered", async () => {
    const directory = mkdtempSync(join(tmpdir(), "scripted-"));
    const log = join(directory, "accepted.jsonl");
    server = scriptedSmtp({
      log,
      on: { RCPT: ({ rcptTo }) => (rcptTo[0] === "grace@example.com" ? "550 5.1.1 Not here" : undefined) },
    });
    const session = await openSession(server.url);
    const to = (recipient: string) => ({ from: "bounces@example.org", to: recipient });
    expect(await (await atTheDot(session, "Hi\r\n", to("ada@example.com"))).finish()).toMatchObject({
      reply: { code: 250 },
    });
    expect(await session.offer(to("grace@example.com"), "Hi\r\n")).toMatchObject({ ok: false });
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as Accepted)).toEqual(server.accepted);
    expect(server.accepted).toEqual([
      {
        seq: 1,
        connection: 1,
        mailFrom: "bounces@example.org",
        rcptTo: ["ada@example.com"],
        raw: "Hi\r\n",
        at: expect.any(Number),
      },
    ]);
    void session.close();
    rmSync(directory, { recursive: true });
  });
});
