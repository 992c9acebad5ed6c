import type { Key } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { RemoveDialog } from "../../../parts/remove-dialog.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly revoked: Key | null; readonly onClose: () => void };

/** Revoking a key cannot be undone, so it asks for the key's name. */
export function RevokeKey({ revoked, onClose }: Props) {
  const { keys } = useTexts();
  return (
    <RemoveDialog
      removed={revoked}
      onClose={onClose}
      nameOf={({ name, prefix }) => name || prefix}
      title={keys.revokeTitle}
      says={keys.revokeSays}
      action={keys.revoke}
      remove={(id) => ok(api.DELETE("/api/v1/keys/{id}", { params: { path: { id } } }))}
      queryKey={["keys"]}
    />
  );
}
