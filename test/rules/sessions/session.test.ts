import { describe, expect, test } from "bun:test";
import {
  askingPage,
  endedCookie,
  isOver,
  replacedSession,
  sessionCookie,
  sessionToken,
} from "#sessions/session.ts";
import { isTooOld, mayUse, setsPassword } from "#sessions/one-time-link.ts";
import { DAY, HOUR } from "../../support/common/durations.ts";

const TOKEN = "a".repeat(43);

describe("a session", () => {
  test.each([
    [false, 12 * HOUR - 1, false],
    [false, 12 * HOUR, true],
    [true, 12 * HOUR, false],
    [true, 30 * DAY - 1, false],
    [true, 30 * DAY, true],
  ])("that stays (%p) and was last used %d ms ago: over is %p", (stays, agoMs, over) => {
    expect(isOver({ stays, createdAt: 0, lastSeenAt: 0 }, agoMs)).toBe(over);
  });

  test("ends thirty days after it began, however often it is used", () => {
    expect(isOver({ stays: false, createdAt: 0, lastSeenAt: 30 * DAY }, 30 * DAY)).toBe(true);
  });

  test.each([
    [`postrider_session=${TOKEN}`, TOKEN],
    [`a=b; postrider_session=${TOKEN}; c=d`, TOKEN],
    [`other_postrider_session=${TOKEN}`, null],
    [`postrider_session=${TOKEN}a`, null],
    [`postrider_session=${TOKEN.slice(1)}`, null],
    ["", null],
    [null, null],
  ])("is found in the cookies %p", (cookies, token) => {
    expect(sessionToken(cookies)).toBe(token);
    expect(replacedSession(cookies) === null).toBe(token === null);
  });
});

describe("a session's cookie", () => {
  const REST = "Path=/; HttpOnly; SameSite=Lax";

  test("ends with the browser unless somebody stays signed in, and is secure where the page is", () => {
    expect(sessionCookie(TOKEN, false, "https://a.example")).toBe(
      `postrider_session=${TOKEN}; ${REST}; Secure`,
    );
    expect(sessionCookie(TOKEN, true, "http://a.example")).toBe(
      `postrider_session=${TOKEN}; ${REST}; Max-Age=${30 * 24 * 3600}`,
    );
    expect(endedCookie("https://a.example")).toBe(`postrider_session=; ${REST}; Secure; Max-Age=0`);
  });

  test("is that of the page that asks, and of the server's own address for a program", () => {
    const asked = (headers: Record<string, string>) =>
      askingPage(new Request("http://a.example", { headers }), "https://base.example");
    expect([asked({ origin: "http://page.example" }), asked({})]).toEqual([
      "http://page.example",
      "https://base.example",
    ]);
  });
});

describe("a link", () => {
  const NOTHING = { isReset: false, hasPassword: false, hasJoined: false, awaitsReset: false };

  test("sets the password of an account that has nothing yet, and a reset that of any", () => {
    expect(setsPassword(NOTHING)).toBe(true);
    for (const had of ["hasPassword", "hasJoined", "awaitsReset"] as const) {
      expect([had, setsPassword({ ...NOTHING, [had]: true })]).toEqual([had, false]);
      expect([had, setsPassword({ ...NOTHING, [had]: true, isReset: true })]).toEqual([had, true]);
    }
  });

  test("that sets no password is used with the one that its person has", () => {
    const invitation = { kind: "person", setsPassword: false } as const;
    expect(mayUse(invitation, null)).toBe(true);
    expect(mayUse(invitation, "hash")).toBe(false);
    expect(mayUse({ ...invitation, setsPassword: true }, "hash")).toBe(true);
    expect(mayUse({ kind: "first" }, "hash")).toBe(true);
  });

  test("is too old from its end on, if it has one", () => {
    expect([isTooOld(5, 4), isTooOld(5, 5), isTooOld(null, 5)]).toEqual([false, true, false]);
  });
});
