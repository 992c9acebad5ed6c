import { Alert, Button, PasswordInput, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { useTexts } from "../../../texts/texts.tsx";

const NOTHING = { current: "", password: "" };

/** Sets a new password. The person is signed out everywhere else. */
export function ChangePassword() {
  const { account } = useTexts();
  const queries = useQueryClient();
  const [entered, setEntered] = useState(NOTHING);
  const changing = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/password", { body: entered })),
    onSuccess: () => {
      setEntered(NOTHING);
      return queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        changing.mutate();
      }}
    >
      <Stack maw={360}>
        <PasswordInput
          label={account.current}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={entered.current}
          onChange={(event) => setEntered({ ...entered, current: event.currentTarget.value })}
        />
        <PasswordInput
          label={account.next}
          description={account.rules}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={entered.password}
          error={changing.error?.message}
          onChange={(event) => setEntered({ ...entered, password: event.currentTarget.value })}
        />
        <div role="status">{changing.isSuccess && <Alert color="green">{account.changed}</Alert>}</div>
        <Button type="submit" variant="default" loading={changing.isPending}>
          {account.change}
        </Button>
      </Stack>
    </form>
  );
}
