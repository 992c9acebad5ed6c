/** A receiver that writes bytes as it likes: half answers, no answers, answers without an end. */
export type RawTarget = {
  readonly port: number;
  /** Connections that were opened so far. */
  readonly connections: number;
  stop(): void;
};

/** @param answer is written once the request begins to arrive; null: nothing is written, and the connection stays open */
export function rawTarget(answer: string | null, closes: boolean): RawTarget {
  let connections = 0;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: () => void connections++,
      data(socket) {
        if (answer !== null) socket.write(answer);
        if (closes) socket.end();
      },
    },
  });
  return {
    port: server.port,
    get connections() {
      return connections;
    },
    stop: () => server.stop(true),
  };
}
