import { afterEach, describe, expect, test } from "bun:test";
import { pauseAfter } from "#inbound/mailbox/pauses.ts";
import type { IncomingMail } from "#bounces/incoming.ts";
import { RefusedForNow } from "#work/pool.ts";
import { eventually } from "../support/common/eventually.ts";
import { endReading, imap, passing, pop3, reader, world } from "../support/inbound/reading.ts";
import { MINUTE } from "../support/common/durations.ts";

afterEach(endReading);

describe("a mailbox that is read", () => {
  test("has each report taken and moved away, and other mail left, as it comes", async () => {
    const { server, url } = imap();
    server.deliver("report\r\n");
    server.deliver("person\r\n");
    const own = world(async ({ raw }) =>
      Buffer.from(raw).toString() === "person\r\n" ? "ordinary" : "applied",
    );
    const idling = server.idle();
    reader(url, own);
    await idling;
    expect(own.taken).toEqual(["report\r\n", "person\r\n"]);
    server.deliver("later\r\n");
    await eventually(() => server.folders.get("Postrider")?.length === 2);
    expect(server.folders.get("INBOX")?.map(({ raw }) => raw)).toEqual(["person\r\n"]);
    expect(own.taken).toEqual(["report\r\n", "person\r\n", "later\r\n"]);
  });

  test("moves nothing away that could not be kept, and tries again", async () => {
    const { server, url } = imap();
    server.deliver("report\r\n");
    let isFull = true;
    const own = world(async () => (isFull ? Promise.reject(new Error("disk full")) : "applied"));
    reader(url, own);
    await eventually(() => own.log.length === 1);
    expect(server.folders.get("INBOX")?.length).toBe(1);
    expect(server.folders.get("INBOX")?.[0]?.flags.size).toBe(0);
    isFull = false;
    await passing(own, server, () => server.folders.get("Postrider")?.length === 1);
    expect(own.taken).toEqual(["report\r\n"]);
    expect(server.folders.get("INBOX")).toEqual([]);
  });

  test("that loses its connection anywhere loses no mail, and takes none that was moved", async () => {
    for (const at of [/^LOGIN/, /^SELECT/, /SEARCH/, /FETCH/, /CREATE/, /MOVE/, /IDLE/])
      for (const fault of ["cut", "cutAfter"] as const) {
        const { server, url } = imap();
        for (const mail of ["one\r\n", "two\r\n", "three\r\n"]) server.deliver(mail);
        let isFirst = true;
        server.onCommand((command) => {
          if (!isFirst || !at.test(command)) return undefined;
          isFirst = false;
          return fault;
        });
        const own = world();
        const reading = reader(url, own);
        const idles = () => server.commands.filter((command) => command === "IDLE").length;
        await passing(own, server, () => idles() === (at.test("IDLE") ? 2 : 1));
        expect(new Set(own.taken).size).toBe(3);
        expect(own.taken.length).toBeLessThanOrEqual(4);
        expect(server.folders.get("INBOX")).toEqual([]);
        expect(server.folders.get("Postrider")?.length).toBe(3);
        await reading.stop();
      }
  });

  test("is not asked in a hot loop, and the log says once what is wrong and once that it is over", async () => {
    const { server, url } = imap();
    server.password = "changed";
    const own = world();
    reader(url, own);
    const logins = () => server.commands.filter((command) => command.startsWith("LOGIN")).length;
    const startedAt = own.clock.now();
    await passing(own, server, () => logins() === 5);
    expect(own.clock.now() - startedAt).toBeGreaterThan(60 * MINUTE);
    expect(own.log.length).toBe(1);
    expect(own.log[0]).toContain("user or password is refused");
    expect(own.log[0]).not.toContain("secret");
    server.password = "secret";
    await passing(own, server, () => own.log.length === 2);
    expect(own.log[1]).toContain("is read again");
  });

  test("looks at everything again where the server starts its numbers anew", async () => {
    const { server, url } = imap();
    server.deliver("one\r\n");
    const own = world(async () => "ordinary");
    const idling = server.idle();
    reader(url, own);
    await idling;
    server.uidValidity = 2;
    server.renumber();
    server.deliver("other, under an old number\r\n");
    server.cutAll();
    await passing(own, server, () => own.taken.length === 2);
    expect(own.taken[1]).toBe("other, under an old number\r\n");
  });

  test("by POP3 is looked at every minute", async () => {
    const { server, url } = pop3();
    server.mails.set("a", "one\r\n");
    const own = world();
    reader(url, own);
    await eventually(() => server.mails.size === 0);
    server.mails.set("b", "two\r\n");
    await passing(own, server, () => server.mails.size === 0);
    expect(own.taken).toEqual(["one\r\n", "two\r\n"]);
    expect(own.log).toEqual([]);
  });

  test("is read on behind a mail that the server does not hand out, and the log says so once", async () => {
    const { server, url } = imap();
    for (const mail of ["broken\r\n", "report\r\n"]) server.deliver(mail);
    let isBroken = true;
    server.onCommand((command) =>
      isBroken && /FETCH 1 /.test(command) ? { say: "TAG NO [SERVERBUG] Internal error\r\n" } : undefined,
    );
    const own = world();
    const idling = server.idle();
    reader(url, own);
    await idling;
    expect(own.taken).toEqual(["report\r\n"]);
    expect(server.folders.get("INBOX")?.map(({ raw }) => raw)).toEqual(["broken\r\n"]);
    const again = server.idle();
    server.deliver("later\r\n");
    await again;
    expect(own.log.length).toBe(1);
    expect(own.log[0]).toContain("Internal error");
    isBroken = false;
    server.deliver("last\r\n");
    await eventually(() => server.folders.get("INBOX")?.length === 0);
    expect(own.taken).toEqual(["report\r\n", "later\r\n", "broken\r\n", "last\r\n"]);
  });

  test("by POP3 is read on behind a mail that the server does not hand out or delete", async () => {
    const { server, url } = pop3();
    for (const name of ["broken", "locked", "report"]) server.mails.set(name, `${name}\r\n`);
    server.onCommand((command) =>
      ["RETR 1", "DELE 2"].includes(command) ? { say: "-ERR not this one\r\n" } : undefined,
    );
    const own = world();
    reader(url, own);
    await passing(own, server, () => !server.mails.has("report"));
    server.mails.set("later", "later\r\n");
    await passing(own, server, () => !server.mails.has("later"));
    expect(own.taken).toEqual(["locked\r\n", "report\r\n", "later\r\n"]);
    expect(own.log.length).toBe(1);
    expect(own.log[0]).toContain("not this one");
  });

  /** Its reading takes too much memory, as long as `isShort`. */
  function heavyMail() {
    const memory = { isShort: true };
    const own = world(async ({ raw }) => {
      if (memory.isShort && Buffer.from(raw).toString() === "heavy\r\n")
        throw new RefusedForNow("The letter takes too much memory.");
      return "applied";
    });
    const hasNoTrouble = () =>
      own.log.every((line) => !line.includes("letter") && !line.includes("mailbox cannot"));
    return { own, memory, hasNoTrouble };
  }

  test("is read on behind a mail that takes too much memory, which stays and is read at a later look", async () => {
    const { server, url } = imap();
    for (const mail of ["heavy\r\n", "report\r\n"]) server.deliver(mail);
    const { own, memory, hasNoTrouble } = heavyMail();
    const idling = server.idle();
    reader(url, own);
    await idling;
    expect(own.taken).toEqual(["report\r\n"]);
    const again = server.idle();
    server.deliver("later\r\n");
    await again;
    expect(server.folders.get("INBOX")?.map(({ raw, flags }) => [raw, flags.size])).toEqual([
      ["heavy\r\n", 0],
    ]);
    expect([own.log.length, hasNoTrouble()]).toEqual([1, true]);
    expect(own.log[0]).toContain("too much memory");
    memory.isShort = false;
    own.clock.advance(5 * MINUTE);
    await eventually(() => server.folders.get("INBOX")?.length === 0);
    expect(own.taken).toEqual(["report\r\n", "later\r\n", "heavy\r\n"]);
  });

  test("by POP3 is read on behind a mail that takes too much memory, which is not deleted", async () => {
    const { server, url } = pop3();
    for (const name of ["heavy", "report"]) server.mails.set(name, `${name}\r\n`);
    const { own, memory, hasNoTrouble } = heavyMail();
    reader(url, own);
    await passing(own, server, () => !server.mails.has("report"));
    expect([own.taken, [...server.mails.keys()]]).toEqual([["report\r\n"], ["heavy"]]);
    expect([own.log.length, hasNoTrouble()]).toEqual([1, true]);
    memory.isShort = false;
    await passing(own, server, () => server.mails.size === 0);
    expect(own.taken).toEqual(["report\r\n", "heavy\r\n"]);
  });

  test("by POP3 is read to its end if the server cuts long sessions off", async () => {
    const { server, url } = pop3();
    for (let n = 0; n < 250; n++) server.mails.set(`id-${n}`, `${n}\r\n`);
    let inSession = 0;
    server.onCommand((command) => {
      if (command.startsWith("USER")) inSession = 0;
      return command.startsWith("RETR") && ++inSession > 150 ? "cut" : undefined;
    });
    const own = world();
    const startedAt = own.clock.now();
    reader(url, own);
    await passing(own, server, () => server.mails.size === 0);
    // The session that was cut off, and then 75, 150 and 25.
    expect(own.taken).toHaveLength(150 + 250);
    expect(own.clock.now() - startedAt).toBeLessThan(MINUTE);
    server.mails.set("later", "later\r\n");
    await passing(own, server, () => server.mails.size === 0);
    expect(own.log.length).toBe(2);
  });

  test("by POP3 is read to its end if the server allows some mails only in a session", async () => {
    const { server, url } = pop3();
    for (let n = 0; n < 60; n++) server.mails.set(`id-${n}`, `${n}\r\n`);
    let inSession = 0;
    server.onCommand((command) => {
      if (command.startsWith("USER")) inSession = 0;
      return command.startsWith("RETR") && ++inSession > 20 ? "cut" : undefined;
    });
    const own = world();
    reader(url, own);
    await passing(own, server, () => server.mails.size === 0);
    expect(new Set(own.taken).size).toBe(60);
  });

  test("is read on behind a mail at which the server always ends the session, which is tried again in an hour", async () => {
    const { server, url } = imap();
    for (const mail of ["one\r\n", "broken\r\n", "three\r\n"]) server.deliver(mail);
    let isBroken = true;
    server.onCommand((command) => (isBroken && /FETCH 2 /.test(command) ? "cut" : undefined));
    const own = world();
    reader(url, own);
    const asked = () => server.commands.filter((command) => /FETCH 2 /.test(command)).length;
    await passing(own, server, () => own.taken.length === 2);
    expect(own.taken).toEqual(["one\r\n", "three\r\n"]);
    expect(asked()).toBe(2);
    expect(own.log.join()).toContain("ended at it more than once");
    await server.idle();
    isBroken = false;
    own.clock.advance(30 * MINUTE);
    await server.idle();
    expect(asked()).toBe(2);
    own.clock.advance(31 * MINUTE);
    await eventually(() => own.taken.length === 3);
    expect(own.taken[2]).toBe("broken\r\n");
  });

  test("by POP3 is read on behind a mail at which the server always ends the session", async () => {
    const { server, url } = pop3();
    for (const name of ["one", "two", "broken", "four"]) server.mails.set(name, `${name}\r\n`);
    server.onCommand((command) => {
      const at = [...server.mails.keys()].indexOf("broken") + 1;
      return command === `RETR ${at}` ? "cut" : undefined;
    });
    const own = world();
    reader(url, own);
    await passing(own, server, () => server.mails.size === 1);
    expect([...server.mails.keys()]).toEqual(["broken"]);
    expect(new Set(own.taken)).toEqual(new Set(["one\r\n", "two\r\n", "four\r\n"]));
  });

  test("leaves another workspace's report as it is for that one's reader, and does not ask for it again", async () => {
    const { server, url } = imap();
    for (const mail of ["theirs\r\n", "ours\r\n"]) server.deliver(mail);
    const take = (own: string) => async (mail: IncomingMail) =>
      Buffer.from(mail.raw).toString() === own ? ("applied" as const) : ("elsewhere" as const);
    const [one, two] = [world(take("ours\r\n")), world(take("theirs\r\n"))];
    const idling = server.idle();
    reader(url, one);
    await idling;
    const again = server.idle();
    server.deliver("ours\r\n");
    await again;
    expect(one.taken).toEqual(["theirs\r\n", "ours\r\n", "ours\r\n"]);
    expect(server.folders.get("INBOX")?.map(({ raw, flags }) => [raw, flags.size])).toEqual([
      ["theirs\r\n", 0],
    ]);
    reader(url, two);
    await eventually(() => server.folders.get("INBOX")?.length === 0);
    expect([one.log, two.log]).toEqual([[], []]);
  });

  test("by POP3 leaves another workspace's report as it is", async () => {
    const { server, url } = pop3();
    for (const name of ["theirs", "ours"]) server.mails.set(name, `${name}\r\n`);
    const own = world(async ({ raw }) =>
      Buffer.from(raw).toString() === "ours\r\n" ? "applied" : "elsewhere",
    );
    reader(url, own);
    await passing(own, server, () => !server.mails.has("ours"));
    server.mails.set("new", "ours\r\n");
    await passing(own, server, () => !server.mails.has("new"));
    expect([...server.mails.keys()]).toEqual(["theirs"]);
    // It is not read again in each session.
    expect(own.taken).toEqual(["theirs\r\n", "ours\r\n", "ours\r\n"]);
  });

  for (const [at, hangs] of [
    ["the login", /^LOGIN/],
    ["a mail", /FETCH/],
    ["the end", /^LOGOUT/],
  ] as const)
    test(`stops within seconds if its server hangs at ${at}`, async () => {
      const { server, url } = imap();
      server.deliver("report\r\n");
      server.onCommand((command) => (hangs.test(command) ? { say: "" } : undefined));
      const own = world();
      const reading = reader(url, own);
      const isThere = (sign: RegExp) => server.commands.some((command) => sign.test(command));
      await eventually(() => isThere(at === "the end" ? /^IDLE/ : hangs));
      const stopped = reading.stop();
      if (at === "the end") await eventually(() => isThere(hangs));
      own.clock.advance(5_000);
      await stopped;
      await eventually(() => server.clients === 0);
      expect(own.log).toEqual([]);
    });

  test("by POP3 stops within seconds if its server hangs", async () => {
    const { server, url } = pop3();
    server.mails.set("a", "report\r\n");
    server.onCommand((command) => (command.startsWith("RETR") ? { say: "" } : undefined));
    const own = world();
    const reading = reader(url, own);
    await eventually(() => server.commands.includes("RETR 1"));
    const stopped = reading.stop();
    own.clock.advance(5_000);
    await stopped;
    expect([own.taken, own.log]).toEqual([[], []]);
  });

  test("stops at once while it waits", async () => {
    const { server, url } = imap();
    const idling = server.idle();
    const reading = reader(url, world());
    await idling;
    await reading.stop();
    await eventually(() => server.clients === 0);
  });
});

test("pauses double, up to a longest, and are a fifth longer or shorter", () => {
  expect([1, 2, 3].map((failures) => pauseAfter("connection", failures, 0.5))).toEqual([
    10_000, 20_000, 40_000,
  ]);
  expect(pauseAfter("connection", 1000, 0.5)).toBe(15 * MINUTE);
  expect(pauseAfter("login", 1, 0.5)).toBe(5 * MINUTE);
  expect(pauseAfter("login", 1000, 0.5)).toBe(60 * MINUTE);
  expect([0, 0.999].map((chance) => pauseAfter("connection", 1, chance))).toEqual([8000, 11_996]);
});
