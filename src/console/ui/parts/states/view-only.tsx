import { Alert } from "@mantine/core";
import { useSession } from "../../frame/session/session.tsx";
import { useTexts } from "../../texts/texts.tsx";

/**
 * For who may only look: why nothing here can be changed, and who can help. Others do not see it.
 * @param says the same about what is on this page
 */
export function ViewOnly({ says }: { readonly says?: string }) {
  const { frame } = useTexts();
  if (useSession().may("editor")) return null;
  return (
    <Alert color="gray" mb="md">
      {says ?? frame.viewOnly}
    </Alert>
  );
}
