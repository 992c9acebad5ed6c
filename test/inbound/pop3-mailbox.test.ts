import { afterEach, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { DotBlock } from "#mail/mailbox/dot-block.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { MailboxTrouble, READ_BYTES_MAX, type RefusedMail } from "#mail/mailbox/mailbox.ts";
import { notIn, uidsIn } from "#mail/mailbox/pop3-uids.ts";
import { mailboxOpener, type OpenMailbox } from "#mail/mailbox/open-mailbox.ts";
import { startPop3Server, type Pop3Server } from "../support/inbound/pop3-server.ts";
import { manualClock } from "../support/common/manual-clock.ts";
import { leastCostMs } from "../support/common/cpu-time.ts";
import { dice } from "../support/common/dice.ts";

let server: Pop3Server;
afterEach(() => server.stop());

const clock = manualClock();
const addressOf = (password = "secret") =>
  unwrap(parseMailboxUrl(`pop3://bounces:${password}@127.0.0.1:${server.port}`));

function setUp(mails: Readonly<Record<string, string>> = {}): OpenMailbox {
  server = startPop3Server();
  for (const [uid, raw] of Object.entries(mails)) server.mails.set(uid, raw);
  return mailboxOpener(clock);
}

const textOf = (read: Uint8Array | RefusedMail | null): string => {
  if (!(read instanceof Uint8Array)) throw new Error(read === null ? "it is gone" : read.refusal);
  return Buffer.from(read).toString("latin1");
};
const caught = async (work: Promise<unknown>): Promise<MailboxTrouble> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MailboxTrouble);
  return error as MailboxTrouble;
};

describe("a mailbox by POP3", () => {
  test("shows its mail byte for byte, dots at the start of lines too", async () => {
    const raw = "Subject: one\r\n\r\n.\r\n..two\r\n\xff\r\n.three\r\n";
    const open = setUp({ a: raw, b: "" });
    const session = await open(addressOf());
    const [one, two] = await session.list();
    expect(textOf(await session.read(present(one, "mail")))).toBe(raw);
    expect(textOf(await session.read(present(two, "mail")))).toBe("");
    await session.close();
    expect(server.mails.size).toBe(2);
  });

  test("deletes what was filed, only when the session ends in order", async () => {
    const open = setUp({ a: "1\r\n", b: "2\r\n" });
    const session = await open(addressOf());
    const [one] = await session.list();
    await session.file(present(one, "mail"));
    expect((await session.list()).map(({ id }) => id)).toEqual(["2"]);
    server.onCommand((command) => (command === "QUIT" ? "cut" : undefined));
    await session.close();
    expect([...server.mails.keys()]).toEqual(["a", "b"]);
    server.onCommand(() => undefined);
    const again = await open(addressOf());
    await again.file(present((await again.list())[0], "mail"));
    await again.close();
    expect([...server.mails.keys()]).toEqual(["b"]);
  });

  test("leaves mail where it is, and does not read it twice", async () => {
    const open = setUp({ a: "1\r\n", b: "2\r\n" });
    const session = await open(addressOf());
    await session.leave(present((await session.list())[0], "mail"));
    await session.close();
    expect([...server.mails.keys()]).toEqual(["a", "b"]);
    const again = await open(addressOf());
    expect((await again.list()).map(({ id }) => id)).toEqual(["2"]);
    expect(again.wait).toBeNull();
    await again.close();
  });

  test("keeps the first MiB of a mail and reads on behind it", async () => {
    const open = setUp({ a: `${"x".repeat(998)}\r\n`.repeat(3000), b: "2\r\n" });
    const session = await open(addressOf());
    const [long, next] = await session.list();
    expect(textOf(await session.read(present(long, "mail"))).length).toBe(READ_BYTES_MAX);
    expect(textOf(await session.read(present(next, "mail")))).toBe("2\r\n");
    await session.close();
  });

  test("knows a refused password from a mailbox in use and from a server that is away", async () => {
    const open = setUp();
    const refused = await caught(open(addressOf("wrong-password")));
    expect(refused.kind).toBe("login");
    expect(refused.message).not.toContain("wrong-password");
    server.onCommand((command) =>
      command.startsWith("PASS") ? { say: `-ERR unknown command: ${command}\r\n` } : undefined,
    );
    expect((await caught(open(addressOf("wrong-password")))).message).toEndWith("unknown command: PASS ***");
    server.onCommand((command) =>
      command.startsWith("PASS") ? { say: "-ERR [IN-USE] busy\r\n" } : undefined,
    );
    expect((await caught(open(addressOf()))).kind).toBe("connection");
    const address = addressOf();
    server.stop();
    expect((await caught(open(address))).message).toContain("ECONNREFUSED");
  });

  test("gives up what is no POP3, and a greeting that never ends", async () => {
    const open = setUp();
    for (const greeting of ["HTTP/1.1 400 Bad Request\r\n", "x".repeat(100_000)]) {
      server.greeting = greeting;
      expect((await caught(open(addressOf()))).message).toContain("does not speak POP3");
    }
  });

  test("gives up a server that is silent for a minute, or that talks for a quarter of an hour", async () => {
    const open = setUp();
    const asked = Promise.withResolvers<void>();
    server.onCommand((command) => {
      if (command !== "UIDL") return undefined;
      asked.resolve();
      return { say: "+OK\r\n1 a\r\n" };
    });
    const trouble = caught(open(addressOf()));
    await asked.promise;
    for (let tries = 0; tries < 20; tries++) {
      await nextLoopTurn();
      clock.advance(60_000);
    }
    expect((await trouble).message).toContain("too slow");
  });

  test("reports a lost connection at whatever it was doing", async () => {
    for (const at of [/^USER/, /^PASS/, /^UIDL/, /^RETR/, /^DELE/]) {
      const open = setUp({ a: "1\r\n" });
      server.onCommand((command) => (at.test(command) ? "cut" : undefined));
      await caught(
        (async () => {
          const session = await open(addressOf());
          const [mail] = await session.list();
          await session.read(present(mail, "mail"));
          await session.file(present(mail, "mail"));
        })(),
      );
      expect(server.mails.size).toBe(1);
      server.stop();
    }
  });
});

describe("a mailbox of very many mails", () => {
  /** How often others had a turn meanwhile. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    await work;
    clearInterval(turn);
    return turns;
  }

  test("holds nobody up when it is listed", async () => {
    setUp();
    const MAILS = 100_000;
    const answer = Array.from({ length: MAILS }, (_, n) => `${n + 1} id-${n}\r\n`).join("");
    let uids = new Map<string, string>();
    const count = async (): Promise<void> => void (uids = await uidsIn(Buffer.from(answer)));
    expect(await turnsDuring(count())).toBeGreaterThan(1);
    expect(uids.size).toBe(MAILS);
    expect([uids.get("1"), uids.get(String(MAILS))]).toEqual(["id-0", `id-${MAILS - 1}`]);
    const leftHere = new Set(Array.from({ length: MAILS }, (_, n) => `id-${n + 5}`));
    let open = new Set<string>();
    const compare = async (): Promise<void> => void (open = await notIn(uids, [leftHere]));
    expect(await turnsDuring(compare())).toBeGreaterThan(1);
    expect([...open]).toEqual(["1", "2", "3", "4", "5"]);
    expect(leftHere.size).toBe(MAILS - 5);
  });

  test("is listed without lines that are none", async () => {
    setUp();
    const answer = `1 a\r\n\r\nx y\r\n4 d\n5 cut off`;
    expect([...(await uidsIn(Buffer.from(answer)))]).toEqual([
      ["1", "a"],
      ["4", "d"],
    ]);
  });

  test("is listed with all mails of a server that writes its lines in another way", async () => {
    setUp();
    const answer = `1  a\r\n2 b \r\n3\tc\r\n4 <d e>\r\n5 ${"f".repeat(71)}\r\n6 ${"g".repeat(1_000)}\r\n`;
    expect([...(await uidsIn(Buffer.from(answer)))]).toEqual([
      ["1", "a"],
      ["2", "b"],
      ["3", "c"],
      ["4", "<d e>"],
      ["5", "f".repeat(71)],
      ["6", "g".repeat(498)],
    ]);
  });

  test("is listed with mails that have one id, and what was left of them hides no other", async () => {
    setUp();
    const uids = await uidsIn(Buffer.from("1 same\r\n2 own\r\n3 same\r\n"));
    expect([...uids.values()]).toEqual(["", "own", ""]);
    expect([...(await notIn(uids, [new Set(["same", "own"])]))]).toEqual(["1", "3"]);
  });
});

describe("the end of an answer", () => {
  test("is found without a look at each line", async () => {
    setUp();
    const costOf = (line: string): Promise<number> => {
      const data = Buffer.from(line.repeat(Math.ceil(READ_BYTES_MAX / line.length)));
      return leastCostMs(() => {
        const block = new DotBlock(READ_BYTES_MAX);
        block.feed(data);
        block.text();
      });
    };
    const [short, long] = [await costOf("\n"), await costOf(`${"x".repeat(998)}\r\n`)];
    expect(short).toBeLessThan(20 * Math.max(1, long));
  });

  test("is found in whatever pieces it comes", () => {
    setUp();
    const wire = "a\r\n..b\r\n.\nc\r\n\r\n.x\r\n.\r\nrest";
    const random = dice(7);
    for (let round = 0; round < 500; round++) {
      const block = new DotBlock(1000);
      let rest: Uint8Array | null = null;
      let at = 0;
      while (rest === null) {
        const to = Math.min(wire.length, at + 1 + random.roll(6));
        rest = block.feed(Buffer.from(wire.slice(at, to)));
        at = to;
      }
      expect(Buffer.from(block.text()).toString()).toBe("a\r\n.b\r\n\nc\r\n\r\nx\r\n");
      expect("rest".startsWith(Buffer.from(rest).toString())).toBeTrue();
    }
  });
});
