/**
 * Something in front of a service, as most have a proxy. It passes requests and answers on as they are.
 * @param leadTo where to, asked with each request: a front may be there before its service
 * @param first what is awaited before a request is passed on
 */
export function startFront(
  leadTo: () => string,
  first: (method: string, path: string) => Promise<void> | null = () => null,
) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    // A send answers late. If its connection is closed before that, the browser sends it a second time.
    idleTimeout: 0,
    async fetch({ url, method, headers, body }) {
      const { pathname, search } = new URL(url);
      await first(method, pathname);
      return await fetch(leadTo() + pathname + search, {
        method,
        headers,
        body,
        redirect: "manual",
        decompress: false,
      });
    },
  });
  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
  };
}
