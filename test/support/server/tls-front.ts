/**
 * A plain-text server that switches to TLS on request. Behind it is one that speaks TLS from the first byte: once
 * TLS begins, this one only passes on the bytes.
 */
import type { Socket } from "bun";

export type TlsFront = {
  readonly port: number;
  /** Every line that came in the clear. */
  readonly lines: string[];
  stop(): void;
};

type Way = {
  readonly greeting: string;
  /** The answer to a plain-text line, and whether TLS begins after it. */
  answer(line: string): { readonly say: string; readonly goesOver?: boolean };
};

/** What a POP3 server answers (RFC 2595). `stls`: its whole answer to STLS. */
export const pop3Way = (stls = "+OK begin\r\n"): Way => ({
  greeting: "+OK ready\r\n",
  answer: (line) => (line === "STLS" ? { say: stls, goesOver: stls.startsWith("+OK") } : { say: "+OK\r\n" }),
});

/** What an IMAP server answers (RFC 9051, section 6.2.1). `starttls`: the answer after the tag. */
export const imapWay = (starttls = "OK begin\r\n"): Way => ({
  greeting: "* OK [CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED] ready\r\n",
  answer(line) {
    const [tag, verb = ""] = line.split(" ");
    if (verb.toUpperCase() === "STARTTLS")
      return { say: `${tag} ${starttls}`, goesOver: starttls.startsWith("OK") };
    const news =
      verb.toUpperCase() === "CAPABILITY" ? "* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED\r\n" : "";
    return { say: `${news}${tag} OK done\r\n` };
  },
});

type Client = { buffer: string; behind: Socket | null; owed: Buffer[] };

/** @param target port of the server behind it, on this machine */
export function startTlsFront({ greeting, answer }: Way, target: number): TlsFront {
  const lines: string[] = [];
  const listener = Bun.listen<Client>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { buffer: "", behind: null, owed: [] };
        socket.write(greeting);
      },
      data: (socket, bytes) => take(socket, Buffer.from(bytes)),
      close: ({ data }) => void data.behind?.end(),
      error: () => {},
    },
  });

  function take(socket: Socket<Client>, bytes: Buffer): void {
    const client = socket.data;
    if (client.behind !== null) return void client.behind.write(bytes);
    if (client.owed.length > 0) return void client.owed.push(bytes);
    client.buffer += bytes.toString("latin1");
    for (let end = client.buffer.indexOf("\r\n"); end !== -1; end = client.buffer.indexOf("\r\n")) {
      const line = client.buffer.slice(0, end);
      client.buffer = client.buffer.slice(end + 2);
      lines.push(line);
      const { say, goesOver = false } = answer(line);
      if (goesOver) {
        client.owed.push(Buffer.from(client.buffer, "latin1"));
        void carry(socket);
      }
      socket.write(say);
      if (goesOver) return;
    }
  }

  /** What the client sends before the connection behind is open is passed on afterwards. */
  async function carry(socket: Socket<Client>): Promise<void> {
    const behind = await Bun.connect({
      hostname: "127.0.0.1",
      port: target,
      socket: {
        data: (_, bytes) => void socket.write(bytes),
        close: () => void socket.end(),
        error: () => {},
      },
    });
    behind.write(Buffer.concat(socket.data.owed));
    socket.data.behind = behind;
  }

  return { port: listener.port, lines, stop: () => listener.stop(true) };
}
