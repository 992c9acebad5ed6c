import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { api, ok } from "../../../api/client.ts";
import { sessionQuery } from "../../../api/session.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { CopyLine } from "../../../parts/copies/copy-line.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { useTexts } from "../../../texts/texts.tsx";

const QrCode = lazy(() => import("../../../parts/copies/qr-code.tsx"));

/** Codes of an authenticator app at sign-in: set up, confirmed with a first code, and removed. */
export function CodesOfApp() {
  const { account } = useTexts();
  const { user } = useSession();
  const again = useSessionAgain();
  const setUp = useMutation({
    mutationFn: (password: string) => ok(api.POST("/api/v1/session/totp", { body: { password } })),
  });
  const confirm = useMutation({
    mutationFn: (code: string) => ok(api.POST("/api/v1/session/totp/confirm", { body: { code } })),
    onSuccess: again,
  });
  const remove = useMutation({
    mutationFn: (password: string) => ok(api.POST("/api/v1/session/totp/remove", { body: { password } })),
    onSuccess: again,
  });
  if (user.totp) return <Ask label={account.current} action={account.codesRemove} asked={remove} isSecret />;
  if (setUp.data === undefined)
    return <Ask label={account.current} action={account.codesSetUp} asked={setUp} isSecret />;
  const { secret, uri } = setUp.data.data;
  return (
    <Ask label={account.firstCode} action={account.confirm} asked={confirm}>
      <p>{account.codesHow}</p>
      <Suspense fallback={<Loading />}>
        <QrCode text={uri} label={account.square} />
      </Suspense>
      <p>{account.codesByHand}</p>
      <CopyLine text={secret} label={account.secret} />
      <Anchor href={uri}>{account.openApp}</Anchor>
    </Ask>
  );
}

function useSessionAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries(sessionQuery);
}

type AskProps = {
  readonly label: string;
  readonly action: string;
  readonly isSecret?: boolean;
  readonly asked: { mutate(text: string): void; readonly error: Error | null; readonly isPending: boolean };
  readonly children?: ReactNode;
};

/** One field and one button. */
function Ask({ label, action, isSecret = false, asked, children }: AskProps) {
  const [typed, setTyped] = useState("");
  const Input = isSecret ? PasswordInput : TextInput;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // A space at the end of a password is a part of it.
        asked.mutate(isSecret ? typed : typed.trim());
        setTyped("");
      }}
    >
      <Stack maw={360}>
        {children}
        <Input
          label={label}
          required
          withAsterisk={false}
          autoComplete={isSecret ? "current-password" : "one-time-code"}
          value={typed}
          error={asked.error?.message}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={asked.isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
