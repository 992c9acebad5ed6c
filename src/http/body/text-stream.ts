/**
 * A text that is made while it is sent. The next piece is made when the last one was taken, so at most two are in
 * memory. If the client goes away, no more are made.
 */
export function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await texts.next();
          if (done === true) return controller.close();
          if (value === "") continue;
          return controller.enqueue(encoder.encode(value));
        }
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
