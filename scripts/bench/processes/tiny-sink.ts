import type { Socket } from "bun";

/** What a relay does besides accepting mail; numbers count messages, or connections. */
export type Faults = {
  /** After so many messages of a connection, answers 421 and closes it. */
  readonly closesAfter?: number;
  /** Refuses a connection while so many are open. */
  readonly takes?: number;
  /** Of every so many dots, closes the connection instead of answering one. */
  readonly losesEvery?: number;
  /** Of every so many recipients, refuses one in words that sound like a fault of the sender's. */
  readonly refusesEvery?: number;
  /** Says that mail to this domain comes too fast, and closes the connection. */
  readonly throttles?: string;
  /** Answers a message's end only after so many milliseconds. */
  readonly dotTakesMs?: number;
};

type Connection = {
  inData: boolean;
  text: string;
  messages: number;
  isRefused: boolean;
  /** The answer to a dot is still to come. */
  isWaiting: boolean;
};
type Said = { readonly text: string; readonly last?: boolean };

/**
 * An SMTP server that accepts everything and keeps nothing, if Postfix's smtp-sink is not installed or behaves too
 * well.
 */
export function startTinySink(port: number, faults: Faults = {}): { readonly port: number; stop(): void } {
  const {
    closesAfter = Infinity,
    takes = Infinity,
    losesEvery,
    refusesEvery,
    throttles,
    dotTakesMs = 0,
  } = faults;
  let [open, dots, recipients] = [0, 0, 0];
  const isEvery = (count: number, every: number | undefined): boolean =>
    every !== undefined && count % every === 0;

  /**
   * The answer to a line, or to a message's end. Null: the connection is closed without one. `last`: it is closed
   * after the answer.
   */
  const answer = (state: Connection, line: string): Said | null => {
    if (state.inData) return isEvery(++dots, losesEvery) ? null : { text: "250 2.0.0 Ok" };
    if (/^EHLO/i.test(line)) return { text: "250-sink\r\n250 PIPELINING" };
    if (/^MAIL/i.test(line)) {
      state.isRefused = false;
      if (state.messages++ >= closesAfter)
        return { text: "421 4.7.0 Too many messages in this connection", last: true };
    }
    if (throttles !== undefined && /^RCPT/i.test(line) && line.includes(`@${throttles}>`))
      return { text: "421 4.7.0 Too many messages from you", last: true };
    if (/^RCPT/i.test(line) && isEvery(++recipients, refusesEvery)) {
      state.isRefused = true;
      return { text: "550 5.7.1 Relaying denied" };
    }
    if (/^DATA/i.test(line)) return { text: state.isRefused ? "503 5.5.1 RCPT first" : "354 Go on" };
    if (/^QUIT/i.test(line)) return { text: "221 2.0.0 Bye", last: true };
    return { text: "250 2.0.0 Ok" };
  };

  const listener = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(socket) {
        socket.data = { inData: false, text: "", messages: 0, isRefused: false, isWaiting: false };
        if (++open > takes) return void socket.end("421 4.7.0 Too many connections\r\n");
        socket.write("220 sink\r\n");
      },
      close: () => void open--,
      data(socket, bytes) {
        socket.data.text += bytes.toString("latin1");
        answerLines(socket, answer, dotTakesMs);
      },
    },
  });
  return { port: listener.port, stop: () => listener.stop(true) };
}

/** Answers what has come, in its order: what was sent after a dot waits for the answer to the dot. */
function answerLines(
  socket: Socket<Connection>,
  answer: (state: Connection, line: string) => Said | null,
  dotTakesMs: number,
): void {
  const state = socket.data;
  while (!state.isWaiting) {
    const mark = state.inData ? "\r\n.\r\n" : "\r\n";
    const at = state.text.indexOf(mark);
    if (at < 0) return;
    const line = state.text.slice(0, at);
    state.text = state.text.slice(at + mark.length);
    const said = answer(state, line);
    if (said === null) return void socket.end();
    if (said.last) return void socket.end(`${said.text}\r\n`);
    state.isWaiting = state.inData && dotTakesMs > 0;
    state.inData = said.text.startsWith("354");
    const say = (): void => void socket.write(`${said.text}\r\n`);
    if (!state.isWaiting) say();
    else
      setTimeout(() => {
        state.isWaiting = false;
        say();
        answerLines(socket, answer, dotTakesMs);
      }, dotTakesMs);
  }
}
