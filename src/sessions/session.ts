import type { Instant } from "#core/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import type { Role } from "#users/role.ts";
import { secretHash } from "#users/welcome-link.ts";

export type Session = {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly stays: boolean;
  readonly createdAt: Instant;
  readonly lastSeenAt: Instant;
  /** By workspace, in the order in which they were joined. */
  readonly roles: ReadonlyMap<string, Role>;
};

/** How long a session lasts at most, and how long it waits for the next request without "stay signed in". */
export const SESSION_MS = 30 * DAY_MS;
export const IDLE_MS = 12 * HOUR_MS;

export const isOver = (
  { stays, createdAt, lastSeenAt }: Pick<Session, "stays" | "createdAt" | "lastSeenAt">,
  now: Instant,
): boolean => now >= createdAt + SESSION_MS || (!stays && now >= lastSeenAt + IDLE_MS);

const COOKIE = "postrider_session";

/** The token in a request's Cookie header; null if there is none that could be ours. */
export function sessionToken(cookies: string | null): string | null {
  if (cookies === null) return null;
  return /(?:^|;) *postrider_session=([A-Za-z0-9_-]{43}) *(?:;|$)/.exec(cookies)?.[1] ?? null;
}

/** The hash of the session that a browser had before it signed in. That session ends. */
export function replacedSession(cookies: string | null): Uint8Array | null {
  const before = sessionToken(cookies);
  return before === null ? null : secretHash(before);
}

/**
 * Where the page is that asks: browsers keep no Secure cookie of a page under http, Safari not even of
 * localhost. They name the page's origin with whatever changes something; programs name none.
 */
export const askingPage = ({ headers }: Request, baseUrl: string): string => headers.get("origin") ?? baseUrl;

/**
 * The Set-Cookie header of a session (docs/contract.md "People and the console"). No `Domain`: only this host
 * gets it. No script reads it, and other sites' pages send it with links only (RFC 6265bis, section 5.6.7).
 * @param page as `askingPage` says
 */
export function sessionCookie(token: string, stays: boolean, page: string): string {
  return cookie(token, page, stays ? SESSION_MS / 1000 : null);
}

/** Makes the browser forget it. */
export const endedCookie = (page: string): string => cookie("", page, 0);

function cookie(value: string, page: string, maxAgeS: number | null): string {
  const secure = page.startsWith("https:") ? "; Secure" : "";
  const age = maxAgeS === null ? "" : `; Max-Age=${maxAgeS}`;
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`;
}
