/**
 * The path and the query of a request. Does not use `URL`: an invalid host name in the Host header would make
 * the whole address unreadable, and nothing here depends on the Host.
 */
export function pathOf(request: Request): string {
  return pathAndQuery(request).path;
}

export function queryOf(request: Request): URLSearchParams {
  return new URLSearchParams(pathAndQuery(request).query);
}

/** Where there is none, as in most requests, nothing has to be cut out or parsed. */
export const hasQuery = ({ url }: Request): boolean => url.includes("?");

/**
 * The request with a host in its address, which Elysia needs to find the path. It is missing where the Host
 * header is empty, or absent as HTTP/1.0 allows.
 */
export function addressed(request: Request): Request {
  return request.url.startsWith("/") ? new Request(`http://localhost${request.url}`, request) : request;
}

function pathAndQuery({ url }: Request): { path: string; query: string } {
  const target = targetOf(url);
  const query = target.indexOf("?");
  return query < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, query), query: target.slice(query) };
}

function targetOf(url: string): string {
  if (url.startsWith("/")) return url;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? "/" : url.slice(start);
}
