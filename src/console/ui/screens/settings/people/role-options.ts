import type { Role } from "../../../api/session.ts";
import { useTexts } from "../../../texts/texts.tsx";

const ROLES: readonly Role[] = ["owner", "editor", "viewer"];

/** The roles by name, for a field to choose one. */
export function useRoleOptions(): { value: Role; label: string }[] {
  const { frame } = useTexts();
  return ROLES.map((role) => ({ value: role, label: frame.roles[role] }));
}
