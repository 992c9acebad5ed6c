/**
 * A small IMAP server (RFC 3501, with IDLE, MOVE and UIDPLUS) over folders in memory. It can be told to
 * misbehave before or after any command.
 */
import type { Socket } from "bun";
import type { ServerCertificate } from "../server/certificates.ts";

type StoredMail = { readonly uid: number; readonly raw: string; readonly flags: Set<string> };

/** What happens to a command: `cut` before it is done, `cutAfter` once it is done but not answered. */
type Fault = "cut" | "cutAfter" | { readonly say: string };

export type ImapServer = {
  readonly port: number;
  readonly folders: Map<string, StoredMail[]>;
  /** Every command, without its tag and without the password. */
  readonly commands: string[];
  /** Called with every command; undefined: it is answered as usual. */
  onCommand(judge: (command: string) => Fault | undefined): void;
  password: string;
  capabilities: string;
  permanentFlags: string;
  uidValidity: number;
  /** Empties the inbox and restarts its numbers, as in a folder that was created again. */
  renumber(): void;
  /** New mail arrives, and clients in IDLE are notified. */
  deliver(raw: string): void;
  /** Resolves when a client is in IDLE. */
  idle(): Promise<void>;
  /** Connections that are open. */
  readonly clients: number;
  cutAll(): void;
  stop(): void;
};

type Client = { socket: Socket<Client>; buffer: string; folder: string; idleTag: string | null };

const nameIn = (words: readonly string[]): string => words.join(" ").replaceAll('"', "");

const CAPABILITIES = "IMAP4rev1 IDLE MOVE UIDPLUS";

/** @param tls for TLS from the first byte (imaps) */
export function startImapServer(tls?: ServerCertificate): ImapServer {
  const folders = new Map<string, StoredMail[]>([["INBOX", []]]);
  const commands: string[] = [];
  const clients = new Set<Client>();
  let judge: (command: string) => Fault | undefined = () => undefined;
  let nextUid = 1;
  const onIdle: (() => void)[] = [];

  const listener = Bun.listen<Client>({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls === undefined ? {} : { tls }),
    socket: {
      open(socket) {
        const client: Client = { socket, buffer: "", folder: "INBOX", idleTag: null };
        socket.data = client;
        clients.add(client);
        socket.write(`* OK [CAPABILITY ${server.capabilities}] ready\r\n`);
      },
      data(socket, bytes) {
        const client = socket.data;
        client.buffer += bytes.toString("latin1");
        for (let end = client.buffer.indexOf("\r\n"); end !== -1; end = client.buffer.indexOf("\r\n")) {
          const line = client.buffer.slice(0, end);
          client.buffer = client.buffer.slice(end + 2);
          take(client, line);
        }
      },
      close: (socket) => void clients.delete(socket.data),
      error: () => {},
    },
  });

  const mailsOf = (client: Client): StoredMail[] => folders.get(client.folder) ?? [];

  function take(client: Client, line: string): void {
    if (client.idleTag !== null && line === "DONE") {
      client.socket.write(`${client.idleTag} OK done\r\n`);
      client.idleTag = null;
      return;
    }
    const [, tag = "*", command = ""] = /^(\S+) (.*)$/s.exec(line) ?? [];
    commands.push(command.replace(/^(LOGIN \S+) .*/i, "$1"));
    const fault = judge(command);
    if (fault === "cut") return client.socket.terminate();
    if (typeof fault === "object") return void client.socket.write(fault.say.replaceAll("TAG", tag));
    const answer = answerTo(client, tag, command);
    if (fault === "cutAfter") return client.socket.terminate();
    client.socket.write(Buffer.from(answer, "latin1"));
  }

  function answerTo(client: Client, tag: string, command: string): string {
    const ok = `${tag} OK done\r\n`;
    const [verb = "", ...words] = command.split(" ");
    switch (verb.toUpperCase()) {
      case "CAPABILITY":
        return `* CAPABILITY ${server.capabilities}\r\n${ok}`;
      case "LOGIN":
        return words[1]?.replaceAll('"', "") === server.password
          ? ok
          : `${tag} NO [AUTHENTICATIONFAILED] wrong\r\n`;
      case "LIST":
        return `* LIST ${command.endsWith(' ""') ? '(\\Noselect) "/" ""' : '(\\HasNoChildren) "/" "INBOX"'}\r\n${ok}`;
      case "SELECT":
        client.folder = nameIn(words);
        return `* ${mailsOf(client).length} EXISTS\r\n* OK [UIDVALIDITY ${server.uidValidity}] valid\r\n* FLAGS (\\Seen \\Deleted)\r\n* OK [PERMANENTFLAGS (${server.permanentFlags})] kept\r\n${tag} OK [READ-WRITE] open\r\n`;
      case "CREATE":
        if (!folders.has(nameIn(words))) folders.set(nameIn(words), []);
        return ok;
      case "IDLE":
        client.idleTag = tag;
        for (const resolve of onIdle.splice(0)) resolve();
        return "+ idling\r\n";
      case "UID":
        return uidCommand(client, words.join(" ")) + ok;
      case "LOGOUT":
        return `* BYE\r\n${ok}`;
      default:
        return ok;
    }
  }

  function uidCommand(client: Client, command: string): string {
    const mails = mailsOf(client);
    const [, verb = "", uid = "", rest = ""] = /^(\w+) (\S*) ?(.*)$/s.exec(command) ?? [];
    const at = mails.findIndex((mail) => mail.uid === Number(uid));
    const mail = mails[at];
    if (verb.toUpperCase() === "SEARCH") {
      const unmarked = /UNKEYWORD \$Postrider/i.test(command);
      const found = mails.filter(({ flags }) => !unmarked || !flags.has("$Postrider")).map((one) => one.uid);
      return `* SEARCH ${found.join(" ")}\r\n`;
    }
    if (mail === undefined) return "";
    switch (verb.toUpperCase()) {
      case "FETCH": {
        const [, start = "0", length = "0"] = /<(\d+)\.(\d+)>/.exec(rest) ?? [];
        const part = mail.raw.slice(Number(start), Number(start) + Number(length));
        return `* ${at + 1} FETCH (UID ${mail.uid} BODY[]<${start}> {${part.length}}\r\n${part})\r\n`;
      }
      case "STORE":
        for (const flag of /\(([^)]*)\)/.exec(rest)?.[1]?.split(" ") ?? []) mail.flags.add(flag);
        return `* ${at + 1} FETCH (UID ${mail.uid} FLAGS (${[...mail.flags].join(" ")}))\r\n`;
      case "MOVE": {
        const folder = folders.get(rest.replaceAll('"', ""));
        if (folder === undefined) return "* NO [TRYCREATE] no such folder\r\n";
        mails.splice(at, 1);
        const moved = { ...mail, uid: nextUid++ };
        folder.push(moved);
        return `* OK [COPYUID 1 ${mail.uid} ${moved.uid}] moved\r\n* ${at + 1} EXPUNGE\r\n`;
      }
      default:
        return "";
    }
  }

  const server: ImapServer = {
    port: listener.port,
    folders,
    commands,
    onCommand: (next) => void (judge = next),
    password: "secret",
    capabilities: CAPABILITIES,
    permanentFlags: "\\Seen \\Deleted \\*",
    uidValidity: 1,
    renumber() {
      folders.get("INBOX")?.splice(0);
      nextUid = 1;
    },
    deliver(raw) {
      const inbox = folders.get("INBOX") ?? [];
      inbox.push({ uid: nextUid++, raw, flags: new Set() });
      for (const { socket, idleTag } of clients)
        if (idleTag !== null) socket.write(`* ${inbox.length} EXISTS\r\n`);
    },
    idle: () => new Promise((resolve) => void onIdle.push(resolve)),
    get clients() {
      return clients.size;
    },
    cutAll: () => clients.forEach(({ socket }) => socket.terminate()),
    stop: () => listener.stop(true),
  };
  return server;
}
