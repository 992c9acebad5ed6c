/**
 * Who a request under `/api/v1` comes from: an API key, or a person by the cookie of their session
 * (docs/decisions.md "HTTP", "People and sessions").
 */
import type { Access, SignedIn } from "#core/request/access.ts";
import { AppError, errorOf } from "#core/errors/errors.ts";
import { thenSoon, type Soon } from "#core/time/soon.ts";
import type { AccessNeeded } from "#http/routes/route.ts";

/** How requests are told apart. */
export type Admission = {
  /** What an Authorization header opens, or null. Returns no promise if the key is known already. */
  authenticate(authorization: string | null): Soon<Access | null>;
  /** The person whose session a Cookie header names, or null. Returns no promise if it is known already. */
  signedIn(cookies: string | null): Soon<SignedIn | null>;
  /** Where people reach the service: pages of this host may use a session. */
  readonly baseUrl: string;
};

/** Who was let in. */
export type Admitted = { readonly access: Access | null; readonly person: SignedIn | null };

type Asked = {
  readonly request: Request;
  readonly method: string;
  /** What follows `/api/v1`. */
  readonly path: string;
};

const NOBODY: Admitted = { access: null, person: null };

/** @throws AppError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
export function admit(parts: Admission, asked: Asked, needed: AccessNeeded): Soon<Admitted> {
  if (needed === "nobody") {
    requireOwnPage(parts, asked);
    return NOBODY;
  }
  const authorization = asked.request.headers.get("authorization");
  // If both are sent, the key counts and not the cookie.
  if (authorization !== null && IS_BEARER.test(authorization))
    return admitKey(parts, asked, authorization, needed);
  if (needed === "person") return admitPerson(parts, asked);
  const workspaceId = asked.request.headers.get("x-workspace");
  // Without the header a cookie is not looked at: pages of other sites can make a browser send cookies, but not
  // this header.
  if (workspaceId === null) throw noKey();
  return admitMember(parts, asked, workspaceId);
}

const IS_BEARER = /^bearer\b/i;

function admitKey(
  parts: Admission,
  { method, path }: Asked,
  authorization: string,
  needed: AccessNeeded,
): Soon<Admitted> {
  return thenSoon(parts.authenticate(authorization), (access) => {
    if (access === null) throw noKey();
    if (needed === "person")
      throw new AppError(
        "FORBIDDEN",
        "This route is for people who are signed in: a key has no account. Sign in with `POST /api/v1/session`.",
      );
    requireAllowed(access, method, path);
    return { access, person: null };
  });
}

async function admitPerson(parts: Admission, asked: Asked): Promise<Admitted> {
  const person = await parts.signedIn(asked.request.headers.get("cookie"));
  if (person === null) throw new AppError("UNAUTHORIZED", "Sign in first: `POST /api/v1/session`.");
  requireOwnPage(parts, asked);
  return { access: null, person };
}

async function admitMember(parts: Admission, asked: Asked, workspaceId: string): Promise<Admitted> {
  const { person } = await admitPerson(parts, asked);
  const access = person?.accessTo(workspaceId) ?? null;
  if (access === null)
    throw new AppError(
      "NOT_FOUND",
      "The workspace in `X-Workspace` is none of yours: see `GET /api/v1/session`.",
    );
  requireAllowed(access, asked.method, asked.path);
  return { access, person };
}

function requireAllowed(access: Access, method: string, path: string): void {
  const refusal = access.refusal(method, path);
  if (refusal !== null) throw errorOf(refusal);
}

/**
 * Refuses what a page of another site makes a browser do in a person's name. Browsers name the page's origin
 * with every request that may change something (Fetch standard, "Origin header"); programs name none.
 */
function requireOwnPage({ baseUrl }: Admission, { request, method }: Asked): void {
  const origin = request.headers.get("origin");
  if (origin === null || method === "GET" || method === "HEAD") return;
  const page = URL.parse(origin);
  if (page === null || !IS_SITE.test(page.protocol))
    throw new AppError("FORBIDDEN", "A page of another site may not do this in somebody's name.");
  // As the page would write it: some proxies send the port that browsers leave out (`example.com:443`).
  const isAt = (host: string | null): boolean => URL.parse(`${page.protocol}//${host}`)?.host === page.host;
  if ([request.headers.get("host"), new URL(baseUrl).host].some(isAt)) return;
  // It may be the console itself: behind a proxy that sends another Host, and without BASE_URL, nobody could sign in.
  throw new AppError(
    "FORBIDDEN",
    `A page of another site may not do this in somebody's name. If ${page.origin} is your own console, start the server with BASE_URL=${page.origin}.`,
  );
}

const IS_SITE = /^https?:$/;

const noKey = (): AppError =>
  new AppError("UNAUTHORIZED", "Send a valid API key: `Authorization: Bearer pr_…`.");
