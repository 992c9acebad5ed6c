import { afterEach, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { unwrap } from "#core/errors/errors.ts";
import { everything } from "#core/share.ts";
import { pauseAfter } from "#inbound/mailbox/pauses.ts";
import { MailboxReader } from "#inbound/mailbox/reader.ts";
import { mailboxJob } from "#inbound/mailbox/job.ts";
import type { IncomingMail, Taken } from "#bounces/incoming.ts";
import { createLog } from "#log.ts";
import { parseMailboxUrl, type MailboxAddress } from "#mail/mailbox/mailbox-address.ts";
import { MailboxTrouble } from "#mail/mailbox/mailbox.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { RefusedForNow } from "#work/pool.ts";
import { seededRandom } from "../support/common/dice.ts";
import { startImapServer, type ImapServer } from "../support/inbound/imap-server.ts";
import { manualClock, type ManualClock } from "../support/common/manual-clock.ts";
import { startPop3Server } from "../support/inbound/pop3-server.ts";

const MINUTE = 60_000;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Resolves once something is so; every await lets sockets and promises go on. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextLoopTurn();
}

/** The same, while time goes on whenever nobody is connected. */
async function passing(
  { clock }: { clock: ManualClock },
  server: { readonly clients: number },
  isSo: () => boolean,
) {
  while (!isSo()) {
    await nextLoopTurn();
    if (server.clients === 0) clock.advance(2_000);
  }
}

function world(take: (mail: IncomingMail) => Promise<Taken> = async () => "applied") {
  const clock = manualClock();
  const taken: string[] = [];
  const log: string[] = [];
  const parts = {
    bounces: {
      async takeMail(mail: IncomingMail) {
        const outcome = await take(mail);
        taken.push(Buffer.from(mail.raw).toString());
        return outcome;
      },
    },
    openMailbox: mailboxOpener(clock),
    clock,
    random: seededRandom(1),
    log: createLog({ level: "info", format: "json", clock, write: (line) => void log.push(line) }),
  };
  return { clock, taken, log, parts };
}

function imap() {
  const server = startImapServer();
  ends.push(server.stop);
  return { server, url: `imap://bounces:secret@127.0.0.1:${server.port}/INBOX` };
}

function reader(url: string, { parts }: ReturnType<typeof world>): MailboxReader {
  const made = new MailboxReader(["ws_1"], [unwrap(parseMailboxUrl(url))], parts);
  ends.push(() => made.stop());
  return made;
}

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
    await until(() => server.folders.get("Postrider")?.length === 2);
    expect(server.folders.get("INBOX")?.map(({ raw }) => raw)).toEqual(["person\r\n"]);
    expect(own.taken).toEqual(["report\r\n", "person\r\n", "later\r\n"]);
  });

  test("moves nothing away that could not be kept, and tries again", async () => {
    const { server, url } = imap();
    server.deliver("report\r\n");
    let isFull = true;
    const own = world(async () => (isFull ? Promise.reject(new Error("disk full")) : "applied"));
    reader(url, own);
    await until(() => own.log.length === 1);
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
    const server = startPop3Server();
    ends.push(server.stop);
    server.mails.set("a", "one\r\n");
    const own = world();
    reader(`pop3://bounces:secret@127.0.0.1:${server.port}`, own);
    await until(() => server.mails.size === 0);
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
    await until(() => server.folders.get("INBOX")?.length === 0);
    expect(own.taken).toEqual(["report\r\n", "later\r\n", "broken\r\n", "last\r\n"]);
  });

  test("by POP3 is read on behind a mail that the server does not hand out or delete", async () => {
    const server = startPop3Server();
    ends.push(server.stop);
    for (const name of ["broken", "locked", "report"]) server.mails.set(name, `${name}\r\n`);
    server.onCommand((command) =>
      ["RETR 1", "DELE 2"].includes(command) ? { say: "-ERR not this one\r\n" } : undefined,
    );
    const own = world();
    reader(`pop3://bounces:secret@127.0.0.1:${server.port}`, own);
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
    await until(() => server.folders.get("INBOX")?.length === 0);
    expect(own.taken).toEqual(["report\r\n", "later\r\n", "heavy\r\n"]);
  });

  test("by POP3 is read on behind a mail that takes too much memory, which is not deleted", async () => {
    const server = startPop3Server();
    ends.push(server.stop);
    for (const name of ["heavy", "report"]) server.mails.set(name, `${name}\r\n`);
    const { own, memory, hasNoTrouble } = heavyMail();
    reader(`pop3://bounces:secret@127.0.0.1:${server.port}`, own);
    await passing(own, server, () => !server.mails.has("report"));
    expect([own.taken, [...server.mails.keys()]]).toEqual([["report\r\n"], ["heavy"]]);
    expect([own.log.length, hasNoTrouble()]).toEqual([1, true]);
    memory.isShort = false;
    await passing(own, server, () => server.mails.size === 0);
    expect(own.taken).toEqual(["report\r\n", "heavy\r\n"]);
  });

  test("by POP3 is read to its end if the server cuts long sessions off", async () => {
    const server = startPop3Server();
    ends.push(server.stop);
    for (let n = 0; n < 250; n++) server.mails.set(`id-${n}`, `${n}\r\n`);
    let inSession = 0;
    server.onCommand((command) => {
      if (command.startsWith("USER")) inSession = 0;
      return command.startsWith("RETR") && ++inSession > 150 ? "cut" : undefined;
    });
    const own = world();
    const startedAt = own.clock.now();
    reader(`pop3://bounces:secret@127.0.0.1:${server.port}`, own);
    await passing(own, server, () => server.mails.size === 0);
    // The session that was cut off, and then 100, 100 and 50.
    expect(own.taken).toHaveLength(150 + 250);
    expect(own.clock.now() - startedAt).toBeLessThan(MINUTE);
    server.mails.set("later", "later\r\n");
    await passing(own, server, () => server.mails.size === 0);
    expect(own.log.length).toBe(2);
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
    await until(() => server.folders.get("INBOX")?.length === 0);
    expect([one.log, two.log]).toEqual([[], []]);
  });

  test("by POP3 leaves another workspace's report as it is", async () => {
    const server = startPop3Server();
    ends.push(server.stop);
    for (const name of ["theirs", "ours"]) server.mails.set(name, `${name}\r\n`);
    const own = world(async ({ raw }) =>
      Buffer.from(raw).toString() === "ours\r\n" ? "applied" : "elsewhere",
    );
    reader(`pop3://bounces:secret@127.0.0.1:${server.port}`, own);
    await passing(own, server, () => !server.mails.has("ours"));
    server.mails.set("new", "ours\r\n");
    await passing(own, server, () => !server.mails.has("new"));
    expect([...server.mails.keys()]).toEqual(["theirs"]);
    // It is not read again in each session.
    expect(own.taken).toEqual(["theirs\r\n", "ours\r\n", "ours\r\n"]);
  });

  test("stops at once while it waits", async () => {
    const { server, url } = imap();
    const idling = server.idle();
    const reading = reader(url, world());
    await idling;
    await reading.stop();
    await until(() => server.clients === 0);
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

test("the mailboxes are those of the settings, also after they change", async () => {
  const [one, two] = [imap(), imap()];
  one.server.deliver("one\r\n");
  two.server.deliver("two\r\n");
  const own = world();
  let revision = 1;
  let holders = [{ workspaceId: "ws_1", value: one.url }];
  const workspaces = { revision: () => revision, holders: async () => holders };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  job.start();
  await until(() => own.taken.length === 1 && own.clock.pending > 0);
  holders = [{ workspaceId: "ws_1", value: two.url }];
  revision++;
  own.clock.advance(5_000);
  await until(() => own.taken.length === 2);
  expect(own.taken).toEqual(["one\r\n", "two\r\n"]);
  await until(() => one.server.clients === 0);
  await job.stop();
  await until(() => two.server.clients === 0);
});

test("workspaces join and leave a mailbox while it stays open", async () => {
  const { server, url } = imap();
  server.deliver("one\r\n");
  const readFor: unknown[] = [];
  const own = world(async ({ workspaceIds }) => {
    readFor.push(workspaceIds);
    return "applied";
  });
  let revision = 1;
  let looks = 0;
  let ids = ["ws_1"];
  const workspaces = {
    revision: () => revision,
    async holders() {
      looks++;
      return ids.map((workspaceId) => ({ workspaceId, value: url }));
    },
  };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  const idling = server.idle();
  job.start();
  await idling;
  for (const next of [["ws_1", "ws_2"], ["ws_2"]]) {
    ids = next;
    revision++;
    own.clock.advance(5_000);
    await until(() => looks === revision);
    server.deliver("another\r\n");
    await until(() => readFor.length === revision);
  }
  expect(readFor).toEqual([["ws_1"], ["ws_1", "ws_2"], ["ws_2"]]);
  expect(server.commands.filter((command) => command.startsWith("LOGIN"))).toHaveLength(1);
  await job.stop();
});

/** What a mailbox is read for, while several workspaces have it under these URLs. */
async function readUnder(server: ImapServer, urls: readonly string[]) {
  server.deliver("one\r\n");
  const readFor: unknown[] = [];
  const own = world(async ({ workspaceIds }) => {
    readFor.push(workspaceIds);
    return "applied";
  });
  const holders = urls.map((value, index) => ({ workspaceId: `ws_${index + 1}`, value }));
  const workspaces = { revision: () => 1, holders: async () => holders };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  job.start();
  await passing(own, server, () => server.folders.get("Postrider")?.length === 1);
  return { own, readFor, job };
}

test("one mailbox has one reader, however its URL is written", async () => {
  const { server } = imap();
  const urls = ["127.0.0.1/INBOX", "localhost/inbox", "LOCALHOST", "localhost./Inbox", "[::1]/"].map(
    (place) => place.replace(/^([^/]+)/, `imap://bounces:secret@$1:${server.port}`),
  );
  const { readFor, job } = await readUnder(server, urls);
  expect(readFor).toEqual([["ws_1", "ws_2", "ws_3", "ws_4", "ws_5"]]);
  expect(server.commands.filter((command) => command.startsWith("LOGIN"))).toHaveLength(1);
  await job.stop();
});

test("where one way to write it leads nowhere, another is used for all, and stays in use", async () => {
  const { server, url } = imap();
  const { own, readFor, job } = await readUnder(server, [url.replace("127.0.0.1", "[::1]"), url]);
  expect(readFor).toEqual([["ws_1", "ws_2"]]);
  const [idling, troubles] = [server.idle(), own.log.length];
  server.cutAll();
  await Promise.all([idling, passing(own, server, () => server.clients === 1)]);
  expect(own.log.slice(troubles).filter((line) => line.includes("[::1]"))).toEqual([]);
  await job.stop();
});

test("trouble of each way to write it is logged once when it begins", async () => {
  const own = world();
  const urls = ["imap://bounces:secret@127.0.0.1:1", "imap://bounces:secret@localhost:1"];
  const addresses = urls.map((url) => unwrap(parseMailboxUrl(url)));
  let opened = 0;
  const openMailbox = async ({ host }: MailboxAddress): Promise<never> => {
    opened++;
    throw new MailboxTrouble("connection", `${host} cannot be read`);
  };
  const made = new MailboxReader(["ws_1"], addresses, { ...own.parts, openMailbox });
  await passing(own, { clients: 0 }, () => opened === 8);
  await made.stop();
  expect(own.log.map((line) => JSON.parse(line).why)).toEqual([
    "127.0.0.1 cannot be read",
    "localhost cannot be read",
  ]);
});

test("what was another workspace's is read when that one joins", async () => {
  const { server, url } = imap();
  server.deliver("theirs\r\n");
  const own = world(async ({ workspaceIds }) =>
    workspaceIds?.includes("ws_2") === true ? "applied" : "elsewhere",
  );
  let ids = ["ws_1"];
  const workspaces = {
    revision: () => ids.length,
    holders: async () => ids.map((workspaceId) => ({ workspaceId, value: url })),
  };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  const idling = server.idle();
  job.start();
  await idling;
  expect(server.folders.get("INBOX")?.length).toBe(1);
  ids = ["ws_1", "ws_2"];
  own.clock.advance(5 * MINUTE);
  await passing(own, server, () => {
    own.clock.advance(1_000);
    return server.folders.get("INBOX")?.length === 0;
  });
  expect(own.taken).toEqual(["theirs\r\n", "theirs\r\n"]);
  await job.stop();
});

test("by POP3 too, although its sessions are short", async () => {
  const server = startPop3Server();
  ends.push(server.stop);
  server.mails.set("theirs", "theirs\r\n");
  let isOurs = false;
  const own = world(async () => (isOurs ? "applied" : "elsewhere"));
  const one = reader(`pop3://bounces:secret@127.0.0.1:${server.port}`, own);
  await passing(own, server, () => own.taken.length === 1);
  isOurs = true;
  one.workspaceIds = ["ws_1", "ws_2"];
  await passing(own, server, () => server.mails.size === 0);
  expect(own.taken).toEqual(["theirs\r\n", "theirs\r\n"]);
});

test("of several servers one reads the mailboxes, and another when that one has ended", async () => {
  const { server, url } = imap();
  server.deliver("one\r\n");
  const own = world();
  const workspaces = { revision: () => 1, holders: async () => [{ workspaceId: "ws_1", value: url }] };
  let part = 0;
  const job = mailboxJob({ ...own.parts, workspaces, share: () => part });
  job.start();
  await until(() => own.clock.pending > 0);
  expect([own.taken, server.clients]).toEqual([[], 0]);
  part = 1;
  own.clock.advance(5_000);
  await until(() => own.taken.length === 1 && own.clock.pending > 0);
  part = 0;
  own.clock.advance(5_000);
  await until(() => server.clients === 0);
  await job.stop();
});
