import { useSession } from "../frame/session.tsx";
import { useTexts } from "../texts/texts.tsx";
import { EmptyState } from "./empty-state.tsx";

/** For what the person's role does not allow: it says whom to ask. */
export function NoPermission({ says }: { readonly says?: string }) {
  const { frame } = useTexts();
  const { workspace } = useSession();
  return (
    <EmptyState
      title={frame.noPermission}
      says={says ?? frame.noPermissionSays(frame.roles[workspace.role])}
    />
  );
}
