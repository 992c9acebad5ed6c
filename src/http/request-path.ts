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

function pathAndQuery({ url }: Request): { path: string; query: string } {
  const afterScheme = url.indexOf("://") + 3;
  const start = url.indexOf("/", afterScheme);
  const target = start < 0 ? "/" : url.slice(start);
  const query = target.indexOf("?");
  return query < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, query), query: target.slice(query) };
}
