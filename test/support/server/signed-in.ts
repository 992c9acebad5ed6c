/** People who are signed in, for tests of what a session may do. */
import type { Role } from "#users/role.ts";
import type { Answer, TestApi } from "./api.ts";

/** Long enough, and on no list. */
export const PASSWORD = "seven quiet lamps";

export type Person = {
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
  /** As a browser sends it: `postrider_session=…`. */
  readonly cookie: string;
  /** Calls a route under /api/v1 with the session, in the workspace. Throws as `TestApi.call` does. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
};

let made = 0;

/** A new person with this role in the first workspace, or in the one that is given. */
export async function signedIn(
  api: TestApi,
  role: Role = "owner",
  { workspaceId = api.workspaceId, email = `${role}${++made}@people.example` } = {},
): Promise<Person> {
  await api.services.users.add(workspaceId, email, role, PASSWORD);
  return await signIn(api, email, PASSWORD, workspaceId);
}

/** Somebody who has an account follows the link that invites them into one more workspace. */
export async function joins(
  api: TestApi,
  workspaceId: string,
  { email, password }: Pick<Person, "email" | "password">,
  role: Role,
): Promise<void> {
  const { token } = await api.services.users.invite(workspaceId, email, role);
  const answer = await asked(api, "POST", "/welcome", { token, password });
  if (answer.status !== 201) throw new Error(`${email}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Signs in somebody who is there already. */
export async function signIn(
  api: TestApi,
  email: string,
  password: string,
  workspaceId = api.workspaceId,
): Promise<Person> {
  const answer = await asked(api, "POST", "/session", { email, password });
  if (answer.status !== 200) throw new Error(`${email}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return personWith(api, { email, password, workspaceId, cookie: cookieOf(answer) });
}

/** Somebody whose cookie is known. */
export function personWith(api: TestApi, who: Omit<Person, "call">): Person {
  return {
    ...who,
    call: (method, path, body, headers = {}) =>
      asked(api, method, path, body, { cookie: who.cookie, "x-workspace": who.workspaceId, ...headers }),
  };
}

/** The cookie that an answer sets, as the browser sends it back. */
export const cookieOf = ({ headers }: Answer): string =>
  /^postrider_session=[^;]*/.exec(headers.get("set-cookie") ?? "")?.[0] ?? "";

/** Asks a route under /api/v1 with these headers and no key. Throws as `TestApi.call` does. */
export async function asked(
  api: TestApi,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isFile = response.headers.has("content-disposition");
  const answer = {
    status: response.status,
    body: text === "" || isFile ? null : JSON.parse(text),
    headers: response.headers,
  };
  api.check(method, path, answer);
  return answer;
}
