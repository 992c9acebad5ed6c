import { Alert, Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { api, ApiError, ok } from "../../api/client.ts";
import { whenToldBy } from "../../frame/session/other-tabs.ts";
import { useTexts } from "../../texts/texts.tsx";
import { CodeField } from "./code-field.tsx";
import { Outside } from "./outside.tsx";
import { SignInWithPasskey } from "./sign-in-with-passkey.tsx";
import { useSignedIn } from "./use-signed-in.ts";

type Credentials = { email: string; password: string; code: string; stay: boolean };

const NOTHING: Credentials = { email: "", password: "", code: "", stay: false };

/** Sign-in with address and password. The code is asked for if the person has set one up. */
export default function SignInScreen() {
  const { signIn } = useTexts();
  const [entered, setEntered] = useState(NOTHING);
  const attempt = useSignIn();
  useOtherTabs();
  const enter = (change: Partial<Credentials>): void => setEntered({ ...entered, ...change });
  const needsCode = attempt.error instanceof ApiError && attempt.error.code === "CODE_REQUIRED";
  return (
    <Outside title={signIn.title} foot={[signIn.first, signIn.reader]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          attempt.mutate(entered);
        }}
      >
        <Stack>
          <Ended />
          <Refusal error={attempt.error} isQuiet={needsCode && entered.code === ""} />
          <TextInput
            label={signIn.email}
            type="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={entered.email}
            onChange={(event) => enter({ email: event.currentTarget.value })}
          />
          <PasswordInput
            label={signIn.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={entered.password}
            onChange={(event) => enter({ password: event.currentTarget.value })}
          />
          {(needsCode || entered.code !== "") && <CodeField code={entered.code} enter={enter} />}
          <Checkbox
            label={signIn.stay}
            description={signIn.staySays}
            checked={entered.stay}
            onChange={(event) => enter({ stay: event.currentTarget.checked })}
          />
          <Button type="submit" loading={attempt.isPending}>
            {signIn.action}
          </Button>
        </Stack>
      </form>
      <SignInWithPasskey stay={entered.stay} />
    </Outside>
  );
}

/** Why somebody who was at work is asked to sign in. */
function Ended() {
  const { signIn } = useTexts();
  const { ended = false } = useHistoryState<{ readonly ended?: boolean } | null>() ?? {};
  if (!ended) return null;
  return (
    <Alert color="yellow" role="status">
      {signIn.ended}
    </Alert>
  );
}

function Refusal({ error, isQuiet }: { readonly error: Error | null; readonly isQuiet: boolean }) {
  if (error === null || isQuiet) return null;
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  );
}

/** Whoever signs in in one tab is signed in in all: nobody is asked for it twice. */
function useOtherTabs(): void {
  const goOn = useSignedIn();
  // If it fails, the page just stays.
  useEffect(() => whenToldBy((person) => void (person !== null && goOn().catch(() => {}))));
}

function useSignIn() {
  const goOn = useSignedIn();
  return useMutation({
    mutationFn: ({ code, ...rest }: Credentials) =>
      ok(
        api.POST("/api/v1/session", {
          body: { ...rest, ...(code.trim() === "" ? {} : { code: code.trim() }) },
        }),
      ),
    onSuccess: goOn,
  });
}
