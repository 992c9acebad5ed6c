import { createContext, useContext } from "react";
import type { Role, Session, Workspace } from "../../api/session.ts";
import { deviceMemory, tabMemory } from "../device-memory.ts";

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

/** The person whom this page was shown to since it was loaded. */
let person: string | null = null;

/** Whether somebody was signed in on this page before. */
export const wasSomebodyHere = (): boolean => person !== null;

/** From now on this page is theirs. @returns false if it was somebody else's */
export function pageIsOf(id: string): boolean {
  person ??= id;
  return person === id;
}

/** The workspace that this page has shown since it was loaded. */
let shown: string | null = null;

/**
 * The workspace of this page. When the page is loaded it is the one that the address names; otherwise the one
 * that this tab showed before; otherwise the last one used on this device; otherwise the first. It stays,
 * also after a reload: another tab may choose another one meanwhile, and what is on the screen must be what
 * requests are about. The page is loaded again if the person is no longer in it.
 */
export function chosenWorkspace(workspaces: readonly Workspace[]): Workspace | undefined {
  const named = new URLSearchParams(location.search).get("w");
  const wanted = [shown, named, tabMemory.read(KEPT_AS), deviceMemory.read(KEPT_AS)];
  const known = wanted.flatMap((id) => workspaces.filter((workspace) => workspace.id === id));
  const [chosen] = [...known, ...workspaces];
  if (shown !== null && shown !== chosen?.id) location.reload();
  shown = chosen?.id ?? null;
  tabMemory.keep(KEPT_AS, shown);
  return chosen;
}

/**
 * From now on this device knows the workspace that somebody used last. A link that is opened in a new tab says nothing of
 * its workspace, and such a tab has no memory of its own: it would show what another tab has chosen since.
 */
export function usedWorkspaceIsKept(): void {
  const keep = (): void => {
    if (shown !== null && deviceMemory.read(KEPT_AS) !== shown) deviceMemory.keep(KEPT_AS, shown);
  };
  addEventListener("pointerdown", keep, true);
  addEventListener("keydown", keep, true);
}

/** Opens the same screen in another workspace. The page is loaded again, so that nothing of the old one stays. */
export function chooseWorkspace(id: string, overview: string): void {
  deviceMemory.keep(KEPT_AS, id);
  tabMemory.keep(KEPT_AS, id);
  location.assign(overview);
}
