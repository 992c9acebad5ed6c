import { createContext, useContext } from "react";
import type { Role, Session, Workspace } from "../../api/session.ts";

export type Here = Session & {
  /** The workspace that all screens show. */
  readonly workspace: Workspace;
  /** Whether the person's role includes this role. */
  may(role: Role): boolean;
};

const RANK: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };

export const atLeast = (has: Role, needed: Role): boolean => RANK[has] >= RANK[needed];

export const SessionContext = createContext<Here | null>(null);

/** Who is signed in, and where. */
export function useSession(): Here {
  const here = useContext(SessionContext);
  if (here === null) throw new Error("this screen is shown without a session");
  return here;
}

const KEPT_AS = "postrider.workspace";

/** The workspace that the address names; otherwise the last one chosen on this device; otherwise the first. */
export function chosenWorkspace(workspaces: readonly Workspace[]): Workspace | undefined {
  const wanted = [new URLSearchParams(location.search).get("w"), localStorage.getItem(KEPT_AS)];
  for (const id of wanted) {
    const found = workspaces.find((workspace) => workspace.id === id);
    if (found !== undefined) return found;
  }
  return workspaces[0];
}

/** Opens the same screen in another workspace. The page is loaded again, so that nothing of the old one stays. */
export function chooseWorkspace(id: string, overview: string): void {
  localStorage.setItem(KEPT_AS, id);
  location.assign(overview);
}
