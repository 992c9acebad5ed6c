/** Passkeys (docs/contract.md "People and the console"): what opens an account, and all that does not. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#core/time/time.ts";
import { BASE_URL, startApi, type TestApi } from "../../support/server/api.ts";
import { authenticator, newKey, type Authenticator, type Lies } from "../../support/server/authenticator.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import {
  asked,
  cookieOf,
  PASSWORD,
  personWith,
  signedIn,
  type Person,
} from "../../support/server/signed-in.ts";
import { isPostgres, writeTo } from "../../support/server/services.ts";
import { countRows } from "../../support/sending/campaigns.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const SITE = { host: "mail.example.org", origin: BASE_URL };

const options = async (person: Person, password = PASSWORD) =>
  await person.call("POST", "/session/passkeys/options", { password });

/** Adds a passkey of this device. */
async function added(person: Person, device = authenticator(SITE), name = "Phone"): Promise<Authenticator> {
  const given = await options(person);
  if (given.status !== 200) throw new Error(JSON.stringify(given.body));
  const credential = device.create(given.body.data);
  const answer = await person.call("POST", "/session/passkeys", { name, credential });
  expect([answer.status, answer.body.data?.name]).toEqual([201, name]);
  return device;
}

const challenge = async () => (await asked(api, "POST", "/session/passkey/options")).body.data;

const signInWith = async (device: Authenticator, lies: Lies = {}) =>
  await asked(api, "POST", "/session/passkey", { credential: device.get(await challenge(), lies) });

const log = async (person: Person) =>
  (await person.call("GET", "/audit?limit=100")).body.data.filter(({ who }: any) => who === person.email);

const countOf = (table: "passkeys" | "sessions"): number => countRows(api, table);

describe("a passkey", () => {
  test("is made from the person's own options, signs in without a password, and is told of", async () => {
    const ada = await signedIn(api);
    const { body } = await options(ada);
    const id = (await ada.call("GET", "/session")).body.data.user.id;
    expect(body.data).toMatchObject({
      rp: { id: "mail.example.org" },
      user: { id: Buffer.from(id).toString("base64url"), name: ada.email },
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const phone = await added(ada);
    expect((await options(ada)).body.data.excludeCredentials).toEqual([{ type: "public-key", id: phone.id }]);
    expect((await ada.call("GET", "/session/passkeys")).body.data).toEqual([
      {
        id: expect.stringMatching(/^pky_/),
        name: "Phone",
        host: SITE.host,
        createdAt: expect.any(String),
        lastUsedAt: null,
      },
    ]);

    clock.advance(MINUTE_MS);
    const answer = await signInWith(phone);
    expect([answer.status, answer.body.data.user.email]).toEqual([200, ada.email]);
    expect(answer.headers.get("set-cookie")).toMatch(/^postrider_session=[A-Za-z0-9_-]{43}; .*; Secure$/);
    const again = personWith(api, { ...ada, cookie: cookieOf(answer) });
    expect((await again.call("GET", "/contacts")).status).toBe(200);
    const [kept] = (await again.call("GET", "/session/passkeys")).body.data;
    expect(kept.lastUsedAt).toBe(new Date(clock.now()).toISOString());
    expect((await log(ada)).map(({ what, target }: any) => [what, target])).toEqual([
      ["sign_in", "Phone"],
      ["passkey_added", "Phone"],
      ["sign_in", null],
    ]);
  });

  test("asks for no code of an app, and ends the session that the browser had", async () => {
    const ada = await signedIn(api);
    const phone = await added(ada);
    await writeTo(api, "UPDATE users SET totp_secret = 'JBSWY3DPEHPK3PXP' WHERE email = ?", ada.email);
    const body = { credential: phone.get(await challenge()), stay: true };
    const answer = await asked(api, "POST", "/session/passkey", body, { cookie: ada.cookie });
    expect([answer.status, answer.body.data.user.totp]).toEqual([200, true]);
    expect(answer.headers.get("set-cookie")).toEndWith("; Max-Age=2592000");
    expect((await ada.call("GET", "/session")).status).toBe(401);
  });

  test("is one of many, each of one person, and opens nothing once it was removed", async () => {
    const ada = await signedIn(api);
    const eve = await signedIn(api);
    const phone = await added(ada);
    await added(ada, authenticator(SITE), "Key");
    const [, { id }] = (await ada.call("GET", "/session/passkeys")).body.data;
    expect((await eve.call("GET", "/session/passkeys")).body.data).toEqual([]);
    expect((await eve.call("DELETE", `/session/passkeys/${id}`)).status).toBe(404);
    expect((await signInWith(phone)).status).toBe(200);
    expect((await ada.call("DELETE", `/session/passkeys/${id}`)).status).toBe(204);
    expect((await ada.call("DELETE", `/session/passkeys/${id}`)).status).toBe(404);
    expect((await signInWith(phone)).status).toBe(401);
    expect((await log(ada))[0]).toMatchObject({ what: "passkey_removed", target: "Phone" });
    expect((await ada.call("GET", "/session/passkeys")).body.data).toHaveLength(1);
  });

  test("may sign with RSA", async () => {
    const ada = await signedIn(api);
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const device = authenticator(SITE);
    const credential = device.create((await options(ada)).body.data, { key: publicKey });
    expect((await ada.call("POST", "/session/passkeys", { name: "", credential })).status).toBe(201);
    expect((await signInWith(device, { key: privateKey })).status).toBe(200);
  });

  test("is gone with its person, and with a reset of the account", async () => {
    const before = countOf("passkeys");
    const ada = await signedIn(api);
    const eve = await signedIn(api);
    const devices = [await added(ada), await added(eve)];
    const { id } = (await eve.call("GET", "/session")).body.data.user;
    expect((await ada.call("DELETE", `/users/${id}`)).status).toBe(204);
    await api.services.users.reset(ada.email);
    expect(countOf("passkeys")).toBe(before);
    for (const device of devices) expect((await signInWith(device)).status).toBe(401);
  });

  test("needs the present password, a name of one line, and room", async () => {
    const ada = await signedIn(api);
    const wrong = await options(ada, "not the password");
    expect([wrong.status, wrong.body.error.message]).toEqual([422, expect.stringContaining("`password`")]);
    const credential = authenticator(SITE).create((await options(ada)).body.data);
    const broken = await ada.call("POST", "/session/passkeys", { name: "two\nlines", credential });
    expect([broken.status, broken.body.error.message]).toEqual([422, expect.stringContaining("`name`")]);
    await added(ada);
    const waiting = authenticator(SITE).create((await options(ada)).body.data);
    const person = isPostgres ? "person" : "user";
    await writeTo(
      api,
      `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 19)
       INSERT INTO passkeys (id, ${person}, name, host, credential, public_key, counter, created_at)
       SELECT 'pky_' || value, ${person}, name, host, 'more ' || value, public_key, 0, 0
       FROM passkeys, n WHERE ${person} = (SELECT seq FROM users WHERE email = ?)`,
      ada.email,
    );
    // Before the device keeps one that opens nothing.
    for (const answer of [
      await options(ada),
      await ada.call("POST", "/session/passkeys", { name: "", credential: waiting }),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
  });

  test("is of no use to an API key, and needs no workspace", async () => {
    for (const [method, path] of [
      ["GET", "/session/passkeys"],
      ["POST", "/session/passkeys"],
      ["POST", "/session/passkeys/options"],
      ["DELETE", "/session/passkeys/pky_1"],
    ] as const)
      expect([path, (await api.call(method, path)).status]).toEqual([path, 403]);
    const viewer = await signedIn(api, "viewer");
    await added({
      ...viewer,
      call: (method, path, body) => asked(api, method, path, body, { cookie: viewer.cookie }),
    });
  });
});

describe("a passkey is not added", () => {
  const refusals: readonly (readonly [string, Lies])[] = [
    ["from another origin", { origin: "https://evil.example" }],
    ["for another host", { host: "evil.example" }],
    ["for a challenge of its own", { challenge: Buffer.alloc(56).toString("base64url") }],
    ["if nobody was checked", { isVerified: false }],
    ["if nobody was there", { isPresent: false }],
    ["from a sign-in", { type: "webauthn.get" }],
    ["with a key that is too weak", { key: generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey }],
  ];
  let lou: Person;
  beforeAll(async () => {
    lou = await signedIn(api);
  });
  test.each(refusals)("%s", async (_, lies) => {
    const device = authenticator(SITE);
    const credential = device.create((await options(lou)).body.data, lies);
    const answer = await lou.call("POST", "/session/passkeys", { name: "", credential });
    expect([answer.status, answer.body.error.message]).toEqual([
      422,
      expect.stringContaining("`credential`"),
    ]);
    expect((await lou.call("GET", "/session/passkeys")).body.data).toEqual([]);
    expect((await signInWith(device)).status).toBe(401);
  });

  test("twice by one challenge, too late, in another session, or by what is no passkey", async () => {
    const ada = await signedIn(api);
    const eve = await signedIn(api);
    const send = (person: Person, credential: unknown) =>
      person.call("POST", "/session/passkeys", { name: "", credential });
    const { data } = (await options(ada)).body;
    expect((await send(eve, authenticator(SITE).create(data))).status).toBe(422);
    expect((await send(ada, authenticator(SITE).create(data))).status).toBe(201);
    expect((await send(ada, authenticator(SITE).create(data))).status).toBe(422);
    const late = authenticator(SITE).create((await options(ada)).body.data);
    clock.advance(5 * MINUTE_MS);
    expect((await send(ada, late)).status).toBe(422);
    const garbage = {
      id: "AAAA",
      response: { clientDataJSON: "AAAA", attestationObject: "AAAA" },
    };
    expect((await send(ada, garbage)).status).toBe(422);
    expect((await ada.call("GET", "/session/passkeys")).body.data).toHaveLength(1);
  });

  test("if somebody has it", async () => {
    const ada = await signedIn(api);
    const eve = await signedIn(api);
    const device = await added(ada);
    const credential = device.create((await options(eve)).body.data);
    const answer = await eve.call("POST", "/session/passkeys", { name: "", credential });
    expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
    expect((await eve.call("GET", "/session/passkeys")).body.data).toEqual([]);
  });
});

describe("a passkey opens nothing", () => {
  const refusals: readonly (readonly [string, () => Lies])[] = [
    ["from another origin", () => ({ origin: "https://evil.example" })],
    ["at the host's other port", () => ({ origin: "https://mail.example.org:8443" })],
    ["for another host", () => ({ host: "evil.example" })],
    ["for a challenge of its own", () => ({ challenge: Buffer.alloc(56).toString("base64url") })],
    ["if nobody was checked", () => ({ isVerified: false })],
    ["if nobody was there", () => ({ isPresent: false })],
    ["when it was made, not used", () => ({ type: "webauthn.create" })],
    ["with another key's signature", () => ({ key: newKey().privateKey })],
    ["in another person's name", () => ({ userHandle: Buffer.from("usr_other").toString("base64url") })],
    ["in nobody's name", () => ({ userHandle: "" })],
    ["when its counter goes back", () => ({ counter: 1 })],
  ];
  let ada: Person;
  let phone: Authenticator;
  beforeAll(async () => {
    ada = await signedIn(api);
    phone = await added(ada);
  });
  test.each(refusals)("%s", async (_, lies) => {
    expect((await signInWith(phone)).status).toBe(200);
    const sessions = countOf("sessions");
    const answer = await signInWith(phone, lies());
    expect([answer.status, answer.body.error.code, answer.headers.get("set-cookie")]).toEqual([
      401,
      "UNAUTHORIZED",
      null,
    ]);
    expect(countOf("sessions")).toBe(sessions);
    expect((await log(ada))[0]).toMatchObject({ what: "sign_in_failed", who: ada.email });
    clock.advance(15 * MINUTE_MS);
    expect((await signInWith(phone)).status).toBe(200);
  });

  test("twice by one challenge, too late, or by a challenge for adding one", async () => {
    const send = async (given: { challenge: string }) =>
      (await asked(api, "POST", "/session/passkey", { credential: phone.get(given) })).status;
    const used = await challenge();
    expect([await send(used), await send(used)]).toEqual([200, 401]);
    const late = await challenge();
    const inTime = await challenge();
    clock.advance(5 * MINUTE_MS - 1);
    expect(await send(inTime)).toBe(200);
    clock.advance(1);
    expect(await send(late)).toBe(401);
    expect(await send((await options(ada)).body.data)).toBe(401);
  });

  test("that nobody has, and answers as one that somebody has", async () => {
    const unknown = await signInWith(authenticator(SITE));
    const wrong = await signInWith(phone, { isVerified: false });
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    expect(await challenge()).toEqual({
      challenge: expect.any(String),
      rpId: SITE.host,
      timeout: 300_000,
      userVerification: "required",
    });
  });

  test("after five failures of its person or twenty of a network, for a quarter of an hour", async () => {
    clock.advance(15 * MINUTE_MS);
    const other = await added(await signedIn(api));
    for (let n = 0; n < 5; n++) expect((await signInWith(phone, { isVerified: false })).status).toBe(401);
    const answer = await signInWith(phone);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "900"]);
    expect((await signInWith(other)).status).toBe(200);
    for (let n = 0; n < 15; n++) expect((await signInWith(authenticator(SITE))).status).toBe(401);
    expect((await signInWith(other)).status).toBe(429);
    clock.advance(15 * MINUTE_MS);
    expect([(await signInWith(phone)).status, (await signInWith(other)).status]).toEqual([200, 200]);
  });

  test("by failed passkeys only: failed passwords are counted apart, and so the other way round", async () => {
    clock.advance(15 * MINUTE_MS);
    const { email } = ada;
    const withPassword = async (password: string): Promise<number> =>
      (await asked(api, "POST", "/session", { email, password })).status;
    for (let n = 0; n < 5; n++) expect(await withPassword(`wrong password ${n}`)).toBe(401);
    expect(await withPassword(PASSWORD)).toBe(429);
    for (let n = 0; n < 5; n++) {
      expect((await signInWith(phone)).status).toBe(200);
      expect((await signInWith(phone, { isVerified: false })).status).toBe(401);
    }
    expect((await signInWith(phone)).status).toBe(429);
    clock.advance(15 * MINUTE_MS);
    for (let n = 0; n < 20; n++) expect((await signInWith(authenticator(SITE))).status).toBe(401);
    expect((await signInWith(phone)).status).toBe(429);
    expect(await withPassword(PASSWORD)).toBe(200);
    clock.advance(15 * MINUTE_MS);
  });

  test("for a page of another site", async () => {
    const body = { credential: phone.get(await challenge()) };
    const answer = await asked(api, "POST", "/session/passkey", body, { origin: "https://evil.example" });
    expect(answer.status).toBe(403);
  });
});
