import type { User } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { RemoveDialog } from "../../../parts/remove-dialog.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly person: User | null; readonly onClose: () => void };

/** Removes somebody from the workspace. It asks for their address. */
export function RemovePerson({ person, onClose }: Props) {
  const { people } = useTexts();
  return (
    <RemoveDialog
      removed={person}
      onClose={onClose}
      nameOf={({ email }) => email}
      title={people.removeTitle}
      says={people.removeSays}
      action={people.remove}
      remove={(id) => ok(api.DELETE("/api/v1/users/{id}", { params: { path: { id } } }))}
      queryKey={["users"]}
    />
  );
}
