import { Button, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { ONLY_ANSWERS } from "../../../frame/held/held-dialogs.ts";
import { useSession } from "../../../frame/session/session.tsx";
import type { Person } from "../../../letter-editor/preview/contact-picker.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = {
  readonly id: string;
  readonly person: Person | null;
  readonly opened: boolean;
  readonly onClose: () => void;
};

/** Sends the letter to the person's own inbox. */
export function TestDialog({ opened, onClose, ...rest }: Props) {
  const { sending } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={sending.testTitle}>
      {opened && <TestForm {...rest} />}
    </Modal>
  );
}

function TestForm({ id, person }: Pick<Props, "id" | "person">) {
  const { sending, letter } = useTexts();
  const { user } = useSession();
  const [to, setTo] = useState(user.email);
  const addresses = to.split(/[,;\s]+/).filter((address) => address !== "");
  const test = useMutation({
    mutationFn: () =>
      ok(
        api.POST("/api/v1/campaigns/{id}/test", {
          params: { path: { id } },
          body: { to: addresses, ...(person === null ? {} : { contactId: person.id }) },
        }),
      ).then(({ data }) => data.recipients),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <Stack>
        <TextInput
          {...ONLY_ANSWERS}
          data-autofocus
          label={sending.testTo}
          description={sending.testSays}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Text size="sm">{sending.testAs(person?.label ?? letter.example)}</Text>
        {test.error && <LoadError error={test.error} />}
        <div role="status">
          {test.data?.map(({ email, status, reason }) => (
            <Text key={email} size="sm" className="test-outcome" data-status={status}>
              {status === "SENT" ? sending.testSent(email) : sending.testFailed(email, reason ?? status)}
            </Text>
          ))}
        </div>
        <Button
          type="submit"
          loading={test.isPending}
          disabled={addresses.length === 0}
          className="dialog-action"
        >
          {sending.testSend}
        </Button>
      </Stack>
    </form>
  );
}
