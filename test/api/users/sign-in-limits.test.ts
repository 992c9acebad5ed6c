/** What stands in the way of guessing: limits, codes, and what a new password must be. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { MINUTE_MS } from "#core/time/time.ts";
import { NOBODYS_HASH, passwordHashing } from "#users/hashing.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { asked, PASSWORD, signedIn, signIn, type Person } from "../../support/server/signed-in.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock, isTrustedProxy: () => true });
});
afterAll(() => api.stop({ graceMs: 0 }));

let networks = 0;
/** An address of a network that nobody has used yet. */
const elsewhere = (): string => `10.0.${++networks}.1`;
const attempt = (email: string, password: string, from: string, more: object = {}) =>
  asked(api, "POST", "/session", { email, password, ...more }, { "x-forwarded-for": from });

describe("after five failures of an address within 15 minutes", () => {
  test("nobody signs in with it, from anywhere, with any password, until the first is old", async () => {
    const { email } = await signedIn(api);
    const startedAt = clock.now();
    for (let i = 0; i < 5; i++) {
      expect((await attempt(email, `wrong password ${i}`, elsewhere())).status).toBe(401);
      clock.advance(MINUTE_MS);
    }
    const refused = await attempt(email, PASSWORD, elsewhere());
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(refused.headers.get("retry-after")).toBe(String(10 * 60));
    clock.advance(startedAt + 15 * MINUTE_MS - clock.now() - 1);
    expect((await attempt(email, PASSWORD, elsewhere())).status).toBe(429);
    clock.advance(1);
    expect((await attempt(email, PASSWORD, elsewhere())).status).toBe(200);
  });

  test("an address that nobody has answers the same", async () => {
    const statuses = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await attempt("ghost@example.com", "wrong password", elsewhere())).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("an address that nobody has answers the same also to the password of the hash that is compared there", async () => {
    expect(await Bun.password.verify("xxxxxxxxxxxx", NOBODYS_HASH)).toBe(true);
    const statuses = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await attempt("phantom@example.com", "xxxxxxxxxxxx", elsewhere())).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("also where they come at once", async () => {
    const attempts = Array.from({ length: 12 }, () => attempt("burst@example.com", "wrong", elsewhere()));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    const countOf = (wanted: number): number => statuses.filter((status) => status === wanted).length;
    expect([countOf(401), countOf(429)]).toEqual([5, 7]);
  });

  test("a success does not count, however often", async () => {
    const { email } = await signedIn(api);
    for (let i = 0; i < 8; i++) expect((await attempt(email, PASSWORD, elsewhere())).status).toBe(200);
  });

  test("wrong present passwords of somebody who is signed in count too", async () => {
    const person = await signedIn(api);
    const change = (current: string) =>
      person.call("POST", "/password", { current, password: "other quiet lamps" });
    for (let i = 0; i < 5; i++) expect((await change(`wrong password ${i}`)).status).toBe(422);
    expect((await change(PASSWORD)).status).toBe(429);
  });
});

test("after 20 failures of a network nobody signs in from it; others do", async () => {
  const { email } = await signedIn(api);
  // One customer has a whole /64 network of IPv6.
  const address = (n: number) => `2001:db8:0:7::${n}`;
  for (let i = 1; i <= 20; i++)
    expect((await attempt(`guess${i}@example.com`, "wrong password", address(i))).status).toBe(401);
  expect((await attempt(email, PASSWORD, address(99))).status).toBe(429);
  expect((await attempt(email, PASSWORD, "2001:db8:0:8::1")).status).toBe(200);
});

describe("hashing", () => {
  test("compares with a hash of the same cost where nobody has the address", async () => {
    const hashing = passwordHashing();
    const costOf = (hash: string): string => hash.split("$").slice(1, 4).join("$");
    expect(costOf(await hashing.hash("some password"))).toBe(costOf(NOBODYS_HASH));
    expect(await hashing.isPassword("xxxxxxxxxxxx", null)).toBe(false);
  });

  test("refuses a flood, and works again after it", async () => {
    const hashing = passwordHashing();
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => hashing.isPassword("x", null)));
    const refused = all.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(8);
    expect(await hashing.isPassword("x", null)).toBe(false);
  });
});

describe("POST /password", () => {
  test("ends the other sessions, and the old password", async () => {
    const here = await signedIn(api);
    const there = await signIn(api, here.email, PASSWORD);
    const change = { current: PASSWORD, password: "other quiet lamps" };
    expect((await here.call("POST", "/password", change)).status).toBe(204);
    expect((await here.call("GET", "/lists")).status).toBe(200);
    expect((await there.call("GET", "/lists")).status).toBe(401);
    expect((await attempt(here.email, PASSWORD, elsewhere())).status).toBe(401);
    expect((await attempt(here.email, "other quiet lamps", elsewhere())).status).toBe(200);
  });

  test("refuses a weak one and a wrong `current`, and changes nothing", async () => {
    const person = await signedIn(api);
    for (const [body, field] of [
      [{ current: PASSWORD, password: "too short" }, "password"],
      [{ current: PASSWORD, password: "qwertyuiop" }, "password"],
      [{ current: PASSWORD, password: "x".repeat(1_001) }, "password"],
      [{ current: PASSWORD }, "password"],
      [{ password: "other quiet lamps" }, "current"],
      [{ current: "not the password", password: "other quiet lamps" }, "current"],
    ] as const) {
      const answer = await person.call("POST", "/password", body);
      expect([answer.status, answer.body.error.message]).toEqual([
        422,
        expect.stringContaining(`\`${field}\``),
      ]);
    }
    expect((await attempt(person.email, PASSWORD, elsewhere())).status).toBe(200);
  });

  test("takes the same letters however they were typed", async () => {
    const person = await signedIn(api);
    const [composed, decomposed] = ["grüne Lampe hier", "gru\u0308ne Lampe hier"];
    await person.call("POST", "/password", { current: PASSWORD, password: composed });
    expect((await attempt(person.email, decomposed, elsewhere())).status).toBe(200);
  });
});

describe("codes of an authenticator app", () => {
  const codeOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });

  async function withCodes(): Promise<Person & { secret: string }> {
    const person = await signedIn(api);
    const { secret, uri } = (await person.call("POST", "/session/totp", { password: PASSWORD })).body.data;
    expect(uri).toStartWith("otpauth://totp/Postrider:");
    expect((await attempt(person.email, PASSWORD, elsewhere())).status).toBe(200);
    expect((await person.call("POST", "/session/totp/confirm", { code: codeOf(secret) })).status).toBe(204);
    return { ...person, secret };
  }

  test("are asked for once one was confirmed, and each opens once", async () => {
    const { email, secret, call } = await withCodes();
    expect((await call("GET", "/session")).body.data.user.totp).toBe(true);
    const without = await attempt(email, PASSWORD, elsewhere());
    expect([without.status, without.body.error.code]).toEqual([401, "CODE_REQUIRED"]);
    expect(without.headers.get("www-authenticate")).toBe("Bearer");
    clock.advance(MINUTE_MS);
    const code = codeOf(secret);
    expect((await attempt(email, PASSWORD, elsewhere(), { code })).status).toBe(200);
    const again = await attempt(email, PASSWORD, elsewhere(), { code });
    expect([again.status, again.body.error.code]).toEqual([401, "CODE_REQUIRED"]);
    const wrongPassword = await attempt(email, "wrong password", elsewhere(), { code });
    expect(wrongPassword.body.error.code).toBe("UNAUTHORIZED");
  });

  test("are taken with spaces of any kind, and in wide digits", async () => {
    const { email, secret } = await withCodes();
    const ways: readonly ((code: string) => string)[] = [
      (code) => `${code.slice(0, 3)}\u00A0${code.slice(3)}\n`,
      (code) => code.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ];
    for (const typed of ways) {
      clock.advance(MINUTE_MS);
      const code = typed(codeOf(secret));
      expect((await attempt(email, PASSWORD, elsewhere(), { code })).status).toBe(200);
    }
  });

  test("open once also where two links are answered at the same moment", async () => {
    const { email, secret } = await withCodes();
    clock.advance(MINUTE_MS);
    const code = codeOf(secret);
    const links = await Promise.all(
      ["One", "Two"].map(async (name) => {
        const { id } = await api.services.workspaces.create(name);
        return await api.services.users.invite(id, email, "viewer");
      }),
    );
    const answers = await Promise.all(
      links.map(({ token }) => asked(api, "POST", "/welcome", { token, password: PASSWORD, code })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    // The other link is as good as before: only the code is not.
    const lost = answers.findIndex(({ status }) => status !== 201);
    expect([answers[lost]!.status, answers[lost]!.body.error.code]).toEqual([401, "CODE_REQUIRED"]);
    clock.advance(MINUTE_MS);
    const { token } = links[lost]!;
    const next = await asked(api, "POST", "/welcome", { token, password: PASSWORD, code: codeOf(secret) });
    expect(next.status).toBe(201);
  });

  test("that were used to confirm open nothing any more", async () => {
    const { email, secret } = await withCodes();
    expect((await attempt(email, PASSWORD, elsewhere(), { code: codeOf(secret) })).status).toBe(401);
  });

  test("cannot be guessed: five wrong ones, and it is 429", async () => {
    const { email, secret } = await withCodes();
    clock.advance(MINUTE_MS);
    const good = codeOf(secret);
    const wrong = good === "000000" ? "000001" : "000000";
    for (let i = 0; i < 5; i++)
      expect((await attempt(email, PASSWORD, elsewhere(), { code: wrong })).status).toBe(401);
    expect((await attempt(email, PASSWORD, elsewhere(), { code: good })).status).toBe(429);
  });

  test("are set up and removed only with the password, and confirmed only with a good one", async () => {
    const person = await signedIn(api);
    const wrong = { password: "wrong password" };
    expect((await person.call("POST", "/session/totp", wrong)).status).toBe(422);
    const nothing = await person.call("POST", "/session/totp/confirm", { code: "123456" });
    expect([nothing.status, nothing.body.error.code]).toEqual([422, "WRONG_STATE"]);
    await person.call("POST", "/session/totp", { password: PASSWORD });
    expect((await person.call("POST", "/session/totp/confirm", { code: "no code" })).status).toBe(422);
    expect((await person.call("GET", "/session")).body.data.user.totp).toBe(false);
    const { call, email } = await withCodes();
    expect((await call("POST", "/session/totp/remove", wrong)).status).toBe(422);
    expect((await attempt(email, PASSWORD, elsewhere())).status).toBe(401);
    expect((await call("POST", "/session/totp/remove", { password: PASSWORD })).status).toBe(204);
    expect((await attempt(email, PASSWORD, elsewhere())).status).toBe(200);
  });

  test("are gone after a reset", async () => {
    const { email } = await withCodes();
    const token = await api.services.users.reset(email);
    const welcome = await asked(api, "POST", "/welcome", { token, password: "other quiet lamps" });
    expect([welcome.status, welcome.body.data.user.totp]).toEqual([201, false]);
    expect((await attempt(email, "other quiet lamps", elsewhere())).status).toBe(200);
  });
});
