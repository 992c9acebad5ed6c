import { useSession } from "../../frame/session/session.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { EmptyState } from "./empty-state.tsx";

type Props = { readonly says?: string; readonly isPage?: boolean };

/** For what the person's role does not allow. It says whom to ask. */
export function NoPermission({ says, isPage = false }: Props) {
  const { frame } = useTexts();
  const { workspace } = useSession();
  return (
    <EmptyState
      isPage={isPage}
      title={frame.noPermission}
      says={says ?? frame.noPermissionSays(frame.roles[workspace.role])}
    />
  );
}
