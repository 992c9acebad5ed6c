/**
 * The path and the query of a request. Not by `URL`: a Host header that is no host name makes the whole address unreadable,
 * and what the client calls us decides nothing here.
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
