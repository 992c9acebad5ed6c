import { TextInput } from "@mantine/core";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly code: string; enter(change: { code: string }): void };

/** The code of an authenticator app, for accounts that have one. */
export function CodeField({ code, enter }: Props) {
  const { signIn } = useTexts();
  return (
    <TextInput
      label={signIn.code}
      description={signIn.codeSays}
      autoComplete="one-time-code"
      inputMode="numeric"
      autoFocus
      value={code}
      onChange={(event) => enter({ code: event.currentTarget.value })}
    />
  );
}
