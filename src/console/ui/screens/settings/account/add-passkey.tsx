import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { makePasskey } from "../../../api/passkeys.ts";
import { useTexts } from "../../../texts/texts.tsx";

type Typed = { readonly name: string; readonly password: string };

/** Asks for the password: somebody who finds a browser signed in must not be able to add a way in. */
export function AddPasskey({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const { account, passkeys } = useTexts();
  const [typed, setTyped] = useState<Typed>({ name: "", password: "" });
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: async (isAdded) => {
      if (!isAdded) return;
      setTyped({ name: "", password: "" });
      await onAdded();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(typed);
      }}
    >
      <Stack maw={360}>
        <TextInput
          label={passkeys.name}
          placeholder={passkeys.nameExample}
          required
          withAsterisk={false}
          value={typed.name}
          onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        />
        <PasswordInput
          label={account.current}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={typed.password}
          error={add.error?.message ?? (add.data === false ? passkeys.notMade : null)}
          onChange={(event) => setTyped({ ...typed, password: event.currentTarget.value })}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          {passkeys.add}
        </Button>
      </Stack>
    </form>
  );
}

/** False: the person gave up when the browser asked, or the device has a passkey already. */
async function addPasskey({ name, password }: Typed): Promise<boolean> {
  const { data } = await ok(api.POST("/api/v1/session/passkeys/options", { body: { password } }));
  const credential = await makePasskey(data);
  if (credential === null) return false;
  await ok(api.POST("/api/v1/session/passkeys", { body: { name, credential } }));
  return true;
}
