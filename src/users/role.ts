import { accept, invalid, refuse, type Refusal, type Result } from "#core/errors/errors.ts";

/**
 * What a person may do in a workspace (docs/contract.md "People and the console"). An owner: everything. An
 * editor: everything but people, keys and changes of the settings. A viewer: reading only.
 */
export const ROLES = ["owner", "editor", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/** Only owners see these paths, and those below them. */
const OWNERS_PATHS = ["/keys", "/users"];

/** Requests that change nothing, although they are POST: their body says what to look at. */
const READING_POSTS = /\/(?:preview|check|render|simulate|search)$/;

/**
 * Why a person in this role may not call a route; null if they may. It depends on the method and the path
 * alone, so it can be checked before the route, its resource and its body.
 * @param path what follows `/api/v1`
 */
export function checkRole(role: Role, method: string, path: string): Refusal | null {
  if (role === "owner") return null;
  const isReading = method === "GET" || method === "HEAD";
  if (OWNERS_PATHS.some((root) => path === root || path.startsWith(`${root}/`))) return ownersOnly(role);
  // An editor reads the settings: nobody can write a campaign without the sender and the time zone.
  if (path === "/settings" && !isReading) return ownersOnly(role);
  if (role === "editor") return null;
  if (path.startsWith("/exports/")) return beyondViewer();
  const previews = method === "POST" && READING_POSTS.test(path);
  return isReading || previews ? null : beyondViewer();
}

const ownersOnly = (role: Role): Refusal =>
  refuse("FORBIDDEN", `You are ${WITH_ARTICLE[role]} of this workspace: only its owners may do this.`)
    .refusal;

const beyondViewer = (): Refusal =>
  refuse(
    "FORBIDDEN",
    "You are a viewer of this workspace: you may read it, but not change, send or export anything. Ask an owner.",
  ).refusal;

const WITH_ARTICLE = { owner: "an owner", editor: "an editor", viewer: "a viewer" } as const;

export function parseRole(text: string): Result<Role> {
  const role = ROLES.find((one) => one === text);
  return role === undefined ? invalid(`\`role\` must be one of ${ROLES.join(", ")}.`) : accept(role);
}
