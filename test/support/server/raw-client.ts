/**
 * An HTTP client that may break the rules. It writes exactly what it is told, and shows what came back and
 * whether the server closed the connection.
 */
import { nextLoopTurn } from "#core/time/event-loop.ts";

export type RawClient = {
  /** What came so far. */
  readonly received: string;
  /** How many bytes the system has accepted. */
  readonly sentBytes: number;
  readonly isClosed: boolean;
  send(text: string): void;
  /** Resolves once the server has closed the connection. */
  readonly closed: Promise<void>;
  /** Resolves once something came that `pattern` matches. */
  until(pattern: RegExp): Promise<void>;
  /** Sends until all bytes are accepted or the server closes the connection. */
  pour(bytes: number): Promise<void>;
  /** Closes the connection at once. */
  cut(): void;
};

const PIECE = new Uint8Array(64 * 1024).fill(0x20);

export async function rawClient(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  let received = "";
  let sentBytes = 0;
  let isClosed = false;
  const closing = Promise.withResolvers<void>();
  const waiting = new Set<() => void>();
  const tell = (): void => waiting.forEach((look) => look());
  const close = (): void => {
    isClosed = true;
    closing.resolve();
    tell();
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        received += bytes.toString();
        tell();
      },
      drain: tell,
      close,
      error: close,
    },
  });
  const write = (bytes: Uint8Array): number => {
    const taken = Math.max(0, socket.write(bytes));
    sentBytes += taken;
    return taken;
  };
  const event = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
    });
  return {
    get received() {
      return received;
    },
    get sentBytes() {
      return sentBytes;
    },
    get isClosed() {
      return isClosed;
    },
    send: (text) => void write(new TextEncoder().encode(text)),
    closed: closing.promise,
    async until(pattern) {
      while (!pattern.test(received)) {
        if (isClosed) throw new Error(`closed after ${JSON.stringify(received)}`);
        await event();
      }
    },
    async pour(bytes) {
      for (let left = bytes; left > 0;) {
        if (isClosed) return;
        const taken = write(PIECE.subarray(0, Math.min(left, PIECE.length)));
        left -= taken;
        if (taken === 0) await event();
        // Slowly, so that an early answer of the server is noticed.
        else await nextLoopTurn();
      }
    },
    cut: () => socket.terminate(),
  };
}

/** The answer as a program reads it. */
export function answerOf({ received }: RawClient): { status: number; id: string; body: any; close: boolean } {
  const [top = "", text = ""] = received.split("\r\n\r\n");
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(top) ?? [];
  const [, id = ""] = /^x-request-id: (.*)$/im.exec(top) ?? [];
  return {
    status: Number(status),
    id,
    body: text === "" ? null : JSON.parse(text),
    close: /^connection: close$/im.test(top),
  };
}
