import { SCREENS, type RailEntry } from "../../screens.ts";
import { useSession } from "../session/session.tsx";

export type Place = RailEntry & { readonly path: string };

/** The entries of the rail that the person may see. */
export function usePlaces(): Place[] {
  const { may } = useSession();
  return SCREENS.flatMap(({ path, rail, role = "viewer" }) =>
    rail !== undefined && may(role) ? [{ ...rail, path: rail.href ?? path }] : [],
  );
}

/** Whether the address is this place or a page under it. */
export const isAt = (address: string, path: string): boolean =>
  path === "/" ? address === "/" : address === path || address.startsWith(`${path}/`);
