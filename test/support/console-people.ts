/** People in front of the console who are signed in. */
import type { Role } from "#users/role.ts";
import type { TestApi } from "./api.ts";
import { visitConsole, type ConsoleVisit, type Look } from "./console.ts";
import { signedIn } from "./signed-in.ts";

/** A new person with this role, in front of the console. */
export async function visitAs(api: TestApi, role: Role, look: Look = {}): Promise<ConsoleVisit> {
  const visit = await visitConsole(api, look);
  const { cookie } = await signedIn(api, role);
  const [name = "", value = ""] = cookie.split("=");
  await visit.context.addCookies([{ name, value, url: api.url }]);
  return visit;
}
