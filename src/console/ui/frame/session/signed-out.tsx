import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { sessionQuery } from "../../api/session.ts";
import { BASE } from "../page-facts.ts";
import { useTexts } from "../../texts/texts.tsx";
import { whenToldBy } from "./other-tabs.ts";

/**
 * Whether a dialog is open. What is typed into one is kept nowhere: it would be lost if the page were left for the
 * sign-in. That this one is open counts too, so the page stays until somebody is signed in.
 */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

/** Mantine: Escape on such an element closes no dialog. The one below must stay. */
const KEEPS_DIALOGS = { "data-mantine-stop-propagation": "true" } as const;

/** Nobody who comes by reads what is below. */
const OPAQUE = { color: "var(--mantine-color-body)", backgroundOpacity: 1 };

/** Covers the page of somebody whose session has ended, until they are signed in again in another tab. */
export function SignedOut() {
  const { signIn } = useTexts();
  const queries = useQueryClient();
  const goOn = useCallback(async () => {
    // Nothing is shown anew as long as nobody is signed in.
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await queries.invalidateQueries();
  }, [queries]);
  useEffect(() => whenToldBy((person) => void (person !== null && goOn().catch(() => {}))), [goOn]);
  return (
    <Modal
      opened
      centered
      zIndex={1000}
      overlayProps={OPAQUE}
      withCloseButton={false}
      closeOnEscape={false}
      onClose={() => {}}
      title={signIn.endedHere}
    >
      <Stack>
        <Text>{signIn.endedHereSays}</Text>
        <Group>
          <Button component="a" href={`${BASE}/sign-in`} target="_blank" data-autofocus {...KEEPS_DIALOGS}>
            {signIn.inNewTab}
          </Button>
          <Button variant="default" onClick={() => void goOn().catch(() => {})} {...KEEPS_DIALOGS}>
            {signIn.goOn}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
