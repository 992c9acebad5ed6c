/** A small POP3 server (RFC 1939) over mails in memory. Deletions count at QUIT, as they must. */
import type { Socket } from "bun";
import type { ServerCertificate } from "../server/certificates.ts";

export type Pop3Server = {
  readonly port: number;
  readonly mails: Map<string, string>;
  /** Every command, without the password. */
  readonly commands: string[];
  /** Called with every command; what it answers is sent instead. `cut` ends the connection. */
  onCommand(judge: (command: string) => "cut" | { readonly say: string } | undefined): void;
  password: string;
  greeting: string;
  /** Connections that are open. */
  readonly clients: number;
  stop(): void;
};

type Client = {
  socket: Socket<Client>;
  buffer: string;
  user: string;
  shown: [string, string][];
  deleted: Set<string>;
};

/** @param tls for TLS from the first byte (pop3s) */
export function startPop3Server(tls?: ServerCertificate): Pop3Server {
  const mails = new Map<string, string>();
  const commands: string[] = [];
  let clients = 0;
  let judge: (command: string) => "cut" | { readonly say: string } | undefined = () => undefined;

  const listener = Bun.listen<Client>({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls === undefined ? {} : { tls }),
    socket: {
      open(socket) {
        clients++;
        socket.data = { socket, buffer: "", user: "", shown: [], deleted: new Set() };
        socket.write(server.greeting);
      },
      data(socket, bytes) {
        const client = socket.data;
        client.buffer += bytes.toString("latin1");
        for (let end = client.buffer.indexOf("\r\n"); end !== -1; end = client.buffer.indexOf("\r\n")) {
          const line = client.buffer.slice(0, end);
          client.buffer = client.buffer.slice(end + 2);
          commands.push(line.replace(/^PASS .*/, "PASS"));
          const fault = judge(line);
          if (fault === "cut") return socket.terminate();
          const answer = fault === undefined ? answerTo(client, line) : fault.say;
          if (!pour(socket, Buffer.from(answer, "latin1"))) return;
          if (line === "QUIT") socket.end();
        }
      },
      close: () => void clients--,
      drain: (socket) => void pour(socket, new Uint8Array(0)),
      error: () => {},
    },
  });

  /** What the system did not accept is sent when there is room again. */
  const owed = new WeakMap<Socket<Client>, Uint8Array>();
  function pour(socket: Socket<Client>, bytes: Uint8Array): boolean {
    const all = Buffer.concat([owed.get(socket) ?? new Uint8Array(0), bytes]);
    const taken = Math.max(0, socket.write(all));
    owed.set(socket, all.subarray(taken));
    return true;
  }

  function answerTo(client: Client, line: string): string {
    const [verb = "", operand = ""] = line.split(" ");
    const [uid, raw] = client.shown[Number(operand) - 1] ?? [];
    switch (verb) {
      case "PASS":
        if (operand !== server.password) return "-ERR [AUTH] wrong password\r\n";
        client.shown = [...mails];
        return "+OK\r\n";
      case "UIDL":
        return `+OK\r\n${client.shown.map(([id], index) => `${index + 1} ${id}\r\n`).join("")}.\r\n`;
      case "RETR":
        return raw === undefined ? "-ERR no such mail\r\n" : `+OK\r\n${raw.replaceAll(/^\./gm, "..")}.\r\n`;
      case "DELE":
        if (uid === undefined) return "-ERR no such mail\r\n";
        client.deleted.add(uid);
        return "+OK\r\n";
      case "QUIT":
        for (const id of client.deleted) mails.delete(id);
        return "+OK bye\r\n";
      default:
        return "+OK\r\n";
    }
  }

  const server: Pop3Server = {
    port: listener.port,
    mails,
    commands,
    onCommand: (next) => void (judge = next),
    password: "secret",
    greeting: "+OK ready\r\n",
    get clients() {
      return clients;
    },
    stop: () => listener.stop(true),
  };
  return server;
}
