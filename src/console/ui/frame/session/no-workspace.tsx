import { Button, Stack, Text, Title } from "@mantine/core";
import { useTexts } from "../../texts/texts.tsx";
import { useSignOut } from "./sign-out.ts";

/** For somebody who was removed from their last workspace. */
export function NoWorkspace() {
  const { frame } = useTexts();
  const signOut = useSignOut();
  return (
    <Stack component="main" className="frame-notice">
      <Title order={1}>{frame.noWorkspace}</Title>
      <Text>{frame.noWorkspaceSays}</Text>
      <Button variant="default" onClick={() => void signOut()}>
        {frame.signOut}
      </Button>
    </Stack>
  );
}
