import { Alert, Anchor, Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { useIsCaptured } from "../../../api/settings.ts";
import { fieldsAreLeft } from "../../../autosave/being-left.ts";
import { facts } from "../../../frame/page-facts.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";

/** Sends one message to an address, and says what the relay answered. */
export function TestMessage() {
  const { settings } = useTexts();
  const { user } = useSession();
  const [to, setTo] = useState(user.email);
  const test = useTest();
  return (
    <form
      className="test-message"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate(to.trim());
      }}
    >
      <TextInput
        type="email"
        required
        withAsterisk={false}
        label={settings.test.to}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={test.isPending}>
        {settings.test.send}
      </Button>
      <div className="test-message-outcome" role="status">
        {test.error && <Alert color="red">{test.error.message}</Alert>}
        {test.data && (
          <Alert color="green">
            {(test.data.isCaptured ? settings.test.captured : settings.test.sent)(test.variables)}{" "}
            {test.data.isCaptured && (
              <Anchor inherit href={`${facts.root}/mailbox`} target="_blank">
                {settings.test.read}
              </Anchor>
            )}
          </Alert>
        )}
      </div>
    </form>
  );
}

function useTest() {
  const { settings } = useTexts();
  const queries = useQueryClient();
  const isCaptured = useIsCaptured() ?? false;
  return useMutation({
    async mutationFn(to: string) {
      // The relay may just have been typed: the one before would be tested.
      await fieldsAreLeft();
      await ok(
        api.POST("/api/v1/send", {
          body: { to, subject: settings.test.subject, text: settings.test.body },
        }),
      );
      return { isCaptured };
    },
    // The checks say what is wrong with the relay.
    onError: () => queries.invalidateQueries({ queryKey: ["deliverability"] }),
  });
}
