import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { api, ApiError, isNotFound, ok } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";
import { CodeField } from "../sign-in/code-field.tsx";
import { Outside } from "../sign-in/outside.tsx";
import { useSignedIn } from "../sign-in/use-signed-in.ts";

const NOTHING = { email: "", password: "", code: "" };

/** The page of the one-time link: people choose a password and are signed in. */
export default function WelcomeScreen() {
  const { welcome, signIn } = useTexts();
  const { token } = useParams<{ token: string }>();
  const [entered, setEntered] = useState(NOTHING);
  const using = useLink(token);
  const enter = (change: Partial<typeof NOTHING>): void => setEntered({ ...entered, ...change });
  const { error } = using;
  const isUsed = isNotFound(error);
  const needsCode = error instanceof ApiError && error.code === "CODE_REQUIRED";
  return (
    <Outside title={welcome.title} says={welcome.says}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          using.mutate(entered);
        }}
      >
        <Stack>
          {error && (
            <Alert color="red" role="alert" title={isUsed ? welcome.used : undefined}>
              {isUsed ? welcome.usedSays : error.message}
            </Alert>
          )}
          <TextInput
            label={signIn.email}
            description={welcome.emailSays}
            type="email"
            autoComplete="username"
            autoFocus
            value={entered.email}
            onChange={(event) => enter({ email: event.currentTarget.value })}
          />
          <PasswordInput
            label={signIn.password}
            description={welcome.passwordSays}
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={entered.password}
            onChange={(event) => enter({ password: event.currentTarget.value })}
          />
          {(needsCode || entered.code !== "") && <CodeField code={entered.code} enter={enter} />}
          <Button type="submit" loading={using.isPending}>
            {welcome.action}
          </Button>
          <Anchor
            renderRoot={(props) => <Link {...props} href="/sign-in" state={{ asked: true }} />}
            size="sm"
            ta="center"
          >
            {welcome.toSignIn}
          </Anchor>
        </Stack>
      </form>
    </Outside>
  );
}

function useLink(token: string) {
  const goOn = useSignedIn();
  return useMutation({
    mutationFn: ({ email, password, code }: typeof NOTHING) =>
      ok(
        api.POST("/api/v1/welcome", {
          body: {
            token,
            password,
            ...(email.trim() === "" ? {} : { email: email.trim() }),
            ...(code.trim() === "" ? {} : { code: code.trim() }),
          },
        }),
      ),
    onSuccess: goOn,
  });
}
