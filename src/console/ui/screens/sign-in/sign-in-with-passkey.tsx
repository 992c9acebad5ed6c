import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api, ApiError, ok, Unreachable } from "../../api/client.ts";
import { askForPasskey, passkeyHindrance } from "../../api/passkeys.ts";
import { facts } from "../../frame/page-facts.ts";
import { useTexts } from "../../texts/texts.tsx";
import { NoCookie, useSignedIn } from "./use-signed-in.ts";

/** Sign-in without a password. If that is not possible, the reason. */
export function SignInWithPasskey({ stay }: { readonly stay: boolean }) {
  const { passkeys } = useTexts();
  const attempt = useAttempt(stay);
  const hindrance = passkeyHindrance();
  if (hindrance !== null)
    return (
      <Text size="sm" c="dimmed" mt="lg">
        {passkeys.hindrances[hindrance](facts.passkeyOrigin ?? "")}
      </Text>
    );
  const isGivenUp = attempt.data === false;
  return (
    <Stack mt="md">
      <Button variant="default" loading={attempt.isPending} onClick={() => attempt.mutate()}>
        {passkeys.signIn}
      </Button>
      {(attempt.error !== null || isGivenUp) && (
        <Alert color={isGivenUp ? "yellow" : "red"} role="alert">
          {attempt.error !== null && !isOfPasskey(attempt.error)
            ? attempt.error.message
            : isGivenUp
              ? passkeys.givenUp
              : passkeys.notAccepted}
        </Alert>
      )}
    </Stack>
  );
}

/** Whether it is the passkey that did not do. Of a server that is away, or asks to wait, it says nothing. */
const isOfPasskey = (error: Error): boolean =>
  !(
    error instanceof Unreachable ||
    error instanceof NoCookie ||
    (error instanceof ApiError && error.code === "RATE_LIMITED")
  );

/** False: nobody was signed in, because no passkey was chosen. */
function useAttempt(stay: boolean) {
  const goOn = useSignedIn();
  return useMutation({
    mutationFn: async () => {
      const { data } = await ok(api.POST("/api/v1/session/passkey/options"));
      const credential = await askForPasskey(data);
      if (credential === null) return false;
      await ok(api.POST("/api/v1/session/passkey", { body: { credential, stay } }));
      return true;
    },
    onSuccess: async (isSignedIn) => {
      if (isSignedIn) await goOn();
    },
  });
}
