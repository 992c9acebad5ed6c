/**
 * For requests to this machine. Otherwise Bun takes them to the proxy of the environment (`HTTP_PROXY`), which cannot
 * reach the server and sees its keys, even for 127.0.0.1.
 */
export const NO_PROXY: { readonly proxy: false } = { proxy: false };
