/** People of a workspace, and the links by which they come in (docs/contract.md "People and the console"). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { inNewWorkspace, startApi, type Answer, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import {
  asked,
  cookieOf,
  joins,
  PASSWORD,
  personWith,
  signedIn,
  signIn,
} from "../../support/server/signed-in.ts";
import { rowsFrom } from "../../support/server/services.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop({ graceMs: 0 }));

const tokenOf = (link: string): string => /\/console\/welcome\/([A-Za-z0-9_-]{43})$/.exec(link)![1]!;
const welcome = (body: object): Promise<Answer> => asked(api, "POST", "/welcome", body);
const entered = ({ body }: Answer): [string, string][] =>
  body.data.workspaces.map(({ id, role }: Record<string, string>) => [id, role]);
const invite = async (by: TestApi, email: string, role = "editor"): Promise<string> =>
  tokenOf((await by.call("POST", "/users", { email, role })).body.data.link);

describe("/users", () => {
  test("lists the people of the workspace, newest first, and nobody of another", async () => {
    const own = await inNewWorkspace(api);
    await signedIn(own, "owner", { workspaceId: own.workspaceId, email: "first@example.com" });
    const made = await own.call("POST", "/users", { email: " Second@Example.com ", role: "viewer" });
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^usr_/),
        email: "second@example.com",
        role: "viewer",
        createdAt: new Date(clock.now()).toISOString(),
        lastSeenAt: null,
        link: expect.stringMatching(/^https:\/\/mail\.example\.org\/console\/welcome\/[A-Za-z0-9_-]{43}$/),
      },
    ]);
    const { data, pagination } = (await own.call("GET", "/users")).body;
    expect(data.map(({ email }: any) => email)).toEqual(["second@example.com", "first@example.com"]);
    expect(Object.keys(data[0]).toSorted()).toEqual(["createdAt", "email", "id", "lastSeenAt", "role"]);
    expect(pagination.total).toBe(2);
    const page = (await own.call("GET", "/users?limit=1")).body;
    const next = (await own.call("GET", `/users?limit=1&after=${page.pagination.nextCursor}`)).body;
    expect([page.data[0].email, next.data[0].email]).toEqual(["second@example.com", "first@example.com"]);
    // Whose link was lost or is too old: a new role would be no help.
    for (const [name, says] of Object.entries({ second: "remove them", first: "Change the role" })) {
      const again = await own.call("POST", "/users", { email: `${name}@example.com`, role: "owner" });
      expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining(says)]);
    }
  });

  test("does not tell a workspace that invites somebody when they were seen in another", async () => {
    const [home, stranger] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const email = "apart@example.com";
    await signedIn(home, "owner", { workspaceId: home.workspaceId, email });
    expect((await home.call("GET", "/users")).body.data[0].lastSeenAt).not.toBeNull();
    const made = await stranger.call("POST", "/users", { email, role: "viewer" });
    const [listed] = (await stranger.call("GET", "/users")).body.data;
    expect([made.status, made.body.data.lastSeenAt, listed.lastSeenAt]).toEqual([201, null, null]);
  });

  test("says which field is wrong", async () => {
    for (const [body, says] of [
      [{ role: "viewer" }, "`email`"],
      [{ email: "nobody", role: "viewer" }, "@"],
      [{ email: "a@example.com" }, "`role`"],
      [{ email: "a@example.com", role: "admin" }, "owner, editor, viewer"],
      [{ email: "a@example.com", role: "viewer", password: "chosen for you" }, "`password`"],
    ] as const) {
      const answer = await api.call("POST", "/users", body);
      expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining(says)]);
    }
  });

  test.each<[string, unknown]>([
    ["an empty object", {}],
    ["nothing", ""],
    ["what is no JSON", "{"],
    ["what is no object", "[]"],
    ["null for a role", { role: null }],
  ])("stay as they are if %s is sent, and the log says nothing of it", async (_name, body) => {
    const own = await inNewWorkspace(api);
    await invite(own, "same@example.com", "viewer");
    const [{ id }] = (await own.call("GET", "/users")).body.data;
    const { status, body: answer } = await own.call("PATCH", `/users/${id}`, body);
    expect([status, answer]).toEqual([200, (await own.call("GET", `/users/${id}`)).body]);
    expect(answer.data.role).toBe("viewer");
    expect((await own.call("GET", "/audit")).body.data.map(({ what }: any) => what)).toEqual([
      "person_invited",
    ]);
  });

  test("whose role is the one that they have stay as they are, and the log tells of no change", async () => {
    const own = await inNewWorkspace(api);
    await invite(own, "same.role@example.com", "viewer");
    const [{ id }] = (await own.call("GET", "/users")).body.data;
    for (const role of ["viewer", "editor", "editor"])
      expect((await own.call("PATCH", `/users/${id}`, { role })).body.data.role).toBe(role);
    expect((await own.call("GET", "/audit")).body.data.map(({ what }: any) => what)).toEqual([
      "role_changed",
      "person_invited",
    ]);
  });

  test("keeps the workspace's last owner; who was only invited is none", async () => {
    const own = await inNewWorkspace(api);
    const owner = await signedIn(own, "owner", { workspaceId: own.workspaceId });
    const id = (await owner.call("GET", "/session")).body.data.user.id;
    const path = `/users/${id}`;
    const token = await invite(own, "next@example.com", "owner");
    for (const answer of [
      await owner.call("PATCH", path, { role: "viewer" }),
      await owner.call("DELETE", path),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
    expect((await owner.call("PATCH", path, { role: "owner" })).status).toBe(200);
    expect((await welcome({ token, password: PASSWORD })).status).toBe(201);
    expect((await owner.call("PATCH", path, { role: "viewer" })).body.data.role).toBe("viewer");
  });

  test("of another workspace is nobody here", async () => {
    const [own, other] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const { id } = (await other.call("POST", "/users", { email: "theirs@example.com", role: "viewer" })).body
      .data;
    for (const answer of [
      await own.call("PATCH", `/users/${id}`, { role: "owner" }),
      await own.call("DELETE", `/users/${id}`),
    ])
      expect(answer.status).toBe(404);
    expect((await other.call("GET", "/users")).body.data[0].role).toBe("viewer");
  });

  test("removed from one workspace stays in the others; from the last one, is gone with everything", async () => {
    const [here, there] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const both = await signedIn(here, "viewer", { workspaceId: here.workspaceId });
    await joins(api, there.workspaceId, both, "editor");
    const { id } = (await both.call("GET", "/session")).body.data.user;
    expect((await here.call("DELETE", `/users/${id}`)).status).toBe(204);
    expect(entered(await both.call("GET", "/session"))).toEqual([[there.workspaceId, "editor"]]);
    expect((await both.call("GET", "/lists")).status).toBe(404);
    expect((await there.call("DELETE", `/users/${id}`)).status).toBe(204);
    expect((await both.call("GET", "/session")).status).toBe(401);
    expect(rowsFrom(api, "SELECT 1 FROM users WHERE email = ?", both.email)).toEqual([]);
  });
});

describe("an invitation", () => {
  test("lets somebody in once, with the password they choose, and signs them in", async () => {
    const own = await inNewWorkspace(api);
    const token = await invite(own, "new@example.com");
    const before = await asked(api, "POST", "/session", { email: "new@example.com", password: PASSWORD });
    expect(before.status).toBe(401);
    const first = await welcome({ token, email: "New@example.com", password: PASSWORD });
    expect([first.status, entered(first)]).toEqual([201, [[own.workspaceId, "editor"]]]);
    expect(first.body.data.user.email).toBe("new@example.com");
    const { workspaceId } = own;
    const here = { email: "new@example.com", password: PASSWORD, workspaceId, cookie: cookieOf(first) };
    expect((await personWith(api, here).call("GET", "/lists")).status).toBe(200);
    const second = await welcome({ token, password: "another password" });
    expect([second.status, second.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect((await signIn(api, "new@example.com", PASSWORD, workspaceId)).cookie).not.toBe("");
  });

  test("is not used up by a password that is refused, nor by another's address", async () => {
    const token = await invite(await inNewWorkspace(api), "careful@example.com");
    for (const body of [
      { token, password: "short" },
      { token, password: "password123" },
      { token, password: "1234567890" },
      { token, password: "aaaaaaaaaaaa" },
      { token, password: "careful@example.com" },
      { token, email: "other@example.com", password: PASSWORD },
      { token },
    ])
      expect([body, (await welcome(body)).status]).toEqual([body, 422]);
    expect((await welcome({ token, password: PASSWORD })).status).toBe(201);
  });

  test("ends the session that the browser had, as signing in does", async () => {
    const own = await inNewWorkspace(api);
    const before = await signedIn(own, "viewer", { workspaceId: own.workspaceId });
    const token = await invite(own, "next.person@example.com");
    const answer = await asked(
      api,
      "POST",
      "/welcome",
      { token, password: PASSWORD },
      { cookie: before.cookie },
    );
    expect(answer.status).toBe(201);
    expect((await before.call("GET", "/lists")).status).toBe(401);
  });

  test("is good for seven days", async () => {
    const own = await inNewWorkspace(api);
    const [late, inTime] = [await invite(own, "late@example.com"), await invite(own, "time@example.com")];
    clock.advance(7 * DAY_MS - 1);
    expect((await welcome({ token: inTime, password: PASSWORD })).status).toBe(201);
    clock.advance(1);
    expect((await welcome({ token: late, password: PASSWORD })).status).toBe(404);
    expect((await welcome({ token: "x".repeat(43), password: PASSWORD })).status).toBe(404);
  });

  test("ends with the person that it was for", async () => {
    const own = await inNewWorkspace(api);
    const made = (await own.call("POST", "/users", { email: "off@example.com", role: "viewer" })).body.data;
    await own.call("DELETE", `/users/${made.id}`);
    expect((await welcome({ token: tokenOf(made.link), password: PASSWORD })).status).toBe(404);
  });

  test("to somebody who has an account asks for the password they have, and opens no other workspace", async () => {
    const [home, other] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const ada = await signedIn(home, "owner", { workspaceId: home.workspaceId, email: "ada@two.example" });
    const token = await invite(other, ada.email, "viewer");
    // Whoever invited her has the link, and tries to choose her password.
    const stolen = await welcome({ token, email: ada.email, password: "chosen by another" });
    expect([stolen.status, stolen.headers.get("set-cookie")]).toEqual([401, null]);
    expect(entered(await ada.call("GET", "/session"))).toEqual([[home.workspaceId, "owner"]]);
    const hers = await welcome({ token, password: PASSWORD });
    expect([hers.status, entered(hers)]).toEqual([
      201,
      [
        [home.workspaceId, "owner"],
        [other.workspaceId, "viewer"],
      ],
    ]);
  });

  test("of the command line opens nothing to whoever invited the address elsewhere before, until it is used", async () => {
    const [ours, theirs] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const email = "squatted@two.example";
    // The other workspace's owner invites the address, and follows the link.
    const squatter = await welcome({ token: await invite(theirs, email), password: "chosen by another" });
    const { call } = personWith(api, {
      email,
      password: "chosen by another",
      workspaceId: ours.workspaceId,
      cookie: cookieOf(squatter),
    });
    const { token } = await api.services.users.add(ours.workspaceId, email, "editor");
    expect((await call("GET", "/contacts")).status).toBe(404);
    expect(entered(await call("GET", "/session"))).toEqual([[theirs.workspaceId, "editor"]]);
    expect((await welcome({ token, password: "chosen by another" })).status).toBe(201);
    expect((await call("GET", "/contacts")).status).toBe(200);
  });

  test("chooses no password of an account that opens something already, also while it is reset", async () => {
    const [home, other] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const ada = await signedIn(home, "owner", { workspaceId: home.workspaceId, email: "reset@two.example" });
    const invitation = await invite(other, ada.email, "viewer");
    const reset = await api.services.users.reset(ada.email);
    expect((await ada.call("GET", "/session")).status).toBe(401);
    const early = await welcome({ token: invitation, password: "chosen by another" });
    // The reset's link may be lost or too old by then.
    expect([early.status, early.body.error.message]).toEqual([
      422,
      expect.stringMatching(/answers this invitation too.*postrider user reset/),
    ]);
    expect((await welcome({ token: reset, password: "her own new words" })).status).toBe(201);
    // The reset has answered it.
    expect((await welcome({ token: invitation, password: "her own new words" })).status).toBe(404);
    expect(
      entered(await asked(api, "POST", "/session", { email: ada.email, password: "her own new words" })),
    ).toEqual([
      [home.workspaceId, "owner"],
      [other.workspaceId, "viewer"],
    ]);
  });

  test("chooses no password of an account that was reset before it had joined anything", async () => {
    const [home, other] = [await inNewWorkspace(api), await inNewWorkspace(api)];
    const email = "never.joined@two.example";
    await invite(home, email, "owner");
    const theirs = await invite(other, email, "viewer");
    const reset = await api.services.users.reset(email);
    // Otherwise the session that this opens would own the first workspace as soon as she follows her link.
    const early = await welcome({ token: theirs, password: "chosen by another" });
    expect([early.status, early.headers.get("set-cookie")]).toEqual([422, null]);
    const hers = await welcome({ token: reset, password: "her own new words" });
    expect([hers.status, entered(hers)[0]]).toEqual([201, [home.workspaceId, "owner"]]);
    const stolen = await asked(api, "POST", "/session", { email, password: "chosen by another" });
    expect(stolen.status).toBe(401);
  });

  test("is answered by one of two who follow it at the same moment", async () => {
    const token = await invite(await inNewWorkspace(api), "race@example.com");
    const passwords = ["first quiet lamp", "second quiet lamp"];
    const answers = await Promise.all(passwords.map((password) => welcome({ token, password })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404]);
    const won = passwords[answers.findIndex(({ status }) => status === 201)]!;
    const signedInBy = await Promise.all(
      passwords.map((password) => asked(api, "POST", "/session", { email: "race@example.com", password })),
    );
    expect(signedInBy.map(({ status }) => status)).toEqual(passwords.map((one) => (one === won ? 200 : 401)));
  });
});
