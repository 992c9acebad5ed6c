import { Alert, Button, Checkbox, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { api, ApiError, ok } from "../../api/client.ts";
import { sessionQuery } from "../../api/session.ts";
import { whenToldBy } from "../../frame/session/other-tabs.ts";
import { useTexts } from "../../texts/texts.tsx";
import { CodeField } from "./code-field.tsx";
import { Outside } from "./outside.tsx";
import { SignInWithPasskey } from "./sign-in-with-passkey.tsx";
import { useSignedIn } from "./use-signed-in.ts";

type Credentials = { email: string; password: string; code: string; stay: boolean };

/** What brought somebody here; the browser keeps it with the page, also when it is loaded again. */
type CameFrom = {
  /** They were at work when their session ended. */
  readonly ended?: boolean;
  /** They chose to sign in, maybe as somebody else. */
  readonly asked?: boolean;
} | null;

const NOTHING: Credentials = { email: "", password: "", code: "", stay: false };

/** Sign-in with address and password. The code is asked for if the person has set one up. */
export default function SignInScreen() {
  const { signIn } = useTexts();
  const [entered, setEntered] = useState(NOTHING);
  const attempt = useSignIn();
  useOtherTabs();
  useLiveSession();
  const enter = (change: Partial<Credentials>): void => setEntered({ ...entered, ...change });
  const needsCode = attempt.error instanceof ApiError && attempt.error.code === "CODE_REQUIRED";
  return (
    <Outside title={signIn.title} foot={[signIn.first, signIn.forgotten, signIn.reader]}>
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
  const { ended = false } = useHistoryState<CameFrom>() ?? {};
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

/** Whoever is signed in goes on: an old tab or a bookmark may lead here. */
function useLiveSession(): void {
  const queries = useQueryClient();
  const goOn = useSignedIn();
  const { asked = false } = useHistoryState<CameFrom>() ?? {};
  useEffect(() => {
    // This page was told just now that nobody is.
    const isKnown = queries.getQueryState(sessionQuery.queryKey)?.error instanceof ApiError;
    if (asked || isKnown) return;
    const leaving = new AbortController();
    // Not by the query: a sign-in meanwhile would take this answer for its own.
    ok(api.GET("/api/v1/session", { signal: leaving.signal }))
      .then(() => (leaving.signal.aborted ? undefined : goOn()))
      .catch(() => {});
    return () => leaving.abort();
  }, []);
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
