import type { Role } from "#users/role.ts";
import { builtConsole } from "../../scripts/console/build.ts";
import type { TestApi } from "./api.ts";
import { visitConsole, type ConsoleVisit, type Look } from "./console.ts";
import { signedIn, type Person } from "./signed-in.ts";

export type SignedInVisit = ConsoleVisit & { readonly person: Person };

/** Somebody with this role in front of a screen, signed in. */
export async function visitSignedIn(
  api: TestApi,
  role: Role = "owner",
  look: Look = {},
): Promise<SignedInVisit> {
  await builtConsole();
  const person = await signedIn(api, role);
  const visit = await visitConsole(api, look);
  const [name = "", value = ""] = person.cookie.split("=");
  await visit.context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: "Lax" }]);
  return { ...visit, person };
}
