/** A network between a program and PostgreSQL, for tests that cut it: a TCP proxy that can stop passing bytes. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type Partition = {
  readonly port: number;
  /**
   * From now on no byte passes in either direction, and no connection ends: bytes that come meanwhile wait. If a
   * COMMIT (or the CALL of a procedure that commits) comes soon, it begins right after that: then something is
   * written, and its client does not hear of it.
   */
  cut(): Promise<void>;
  /** The waiting bytes are passed on. */
  heal(): void;
  /**
   * From now on no byte passes on this connection, for good, and it does not end.
   * @param clientPort of the connection, as PostgreSQL sees it (`inet_client_port()`)
   */
  silence(clientPort: number): void;
  /** Closes the open connections, and sends new ones to this port. */
  lead(port: number): void;
  stop(): void;
};

const COMES_WITHIN_MS = 1_000;
/** A statement is prepared under a name (message Parse of PostgreSQL's protocol), and called by it from then on. */
const PREPARED_CALL = /P[^]{4}(\w+)\0CALL /;

export async function partitionTo(first: number): Promise<Partition> {
  let port = first;
  let isCut = false;
  let afterCommit = (): void => undefined;
  const ends = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const silent = new Set<number>();
  const inOrder = (work: () => void): void => void (isCut ? waiting.push(work) : work());

  const pass = (from: Socket, to: Socket, far: Socket, seen: (bytes: Buffer) => void): void => {
    ends.add(from);
    from.on("data", (bytes: Buffer) => {
      if (silent.has(far.localPort ?? 0)) return;
      inOrder(() => to.write(bytes));
      seen(bytes);
    });
    from.on("close", () => {
      ends.delete(from);
      inOrder(() => to.destroy());
    });
    from.on("error", () => from.destroy());
  };

  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let call: string | null = null;
    pass(near, far, far, (bytes) => {
      if (bytes.includes("CALL ")) {
        const name = PREPARED_CALL.exec(bytes.toString("latin1"))?.[1];
        if (name !== undefined) call = `\0${name}\0`;
      }
      if (bytes.includes("COMMIT") || (call !== null && bytes.includes(call))) afterCommit();
    });
    pass(far, near, far, () => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    port: (server.address() as AddressInfo).port,
    async cut() {
      const cutNow = (): void => void (isCut = true);
      await Promise.race([
        new Promise<void>((resolve) => {
          afterCommit = () => {
            cutNow();
            resolve();
          };
        }),
        Bun.sleep(COMES_WITHIN_MS),
      ]);
      cutNow();
    },
    heal() {
      isCut = false;
      afterCommit = () => undefined;
      for (const work of waiting.splice(0)) work();
    },
    silence: (clientPort) => void silent.add(clientPort),
    lead(elsewhere) {
      port = elsewhere;
      for (const end of ends) end.destroy();
    },
    stop() {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
