/** An SMTP server that takes everything and keeps nothing, where Postfix's smtp-sink is not at hand. */
export function startTinySink(port: number): { stop(): void } {
  const listener = Bun.listen<{ inData: boolean; text: string }>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(socket) {
        socket.data = { inData: false, text: "" };
        socket.write("220 sink\r\n");
      },
      data(socket, bytes) {
        const state = socket.data;
        state.text += bytes.toString("latin1");
        for (;;) {
          const mark = state.inData ? "\r\n.\r\n" : "\r\n";
          const at = state.text.indexOf(mark);
          if (at < 0) return;
          const line = state.text.slice(0, at);
          state.text = state.text.slice(at + mark.length);
          if (state.inData) socket.write("250 2.0.0 Ok\r\n");
          else
            socket.write(
              /^DATA/i.test(line)
                ? "354 Go on\r\n"
                : /^EHLO/i.test(line)
                  ? "250-sink\r\n250 PIPELINING\r\n"
                  : "250 2.0.0 Ok\r\n",
            );
          state.inData = !state.inData && /^DATA/i.test(line);
        }
      },
    },
  });
  return { stop: () => listener.stop(true) };
}
