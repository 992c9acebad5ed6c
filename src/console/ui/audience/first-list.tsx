import { Alert, Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { isComposing } from "../parts/typing.ts";
import { useTexts } from "../texts/texts.tsx";
import { useCreateList } from "./create-list.ts";

/**
 * For places where a list must be chosen and there is none: makes the first one there. Not a form element, because
 * it is used inside other forms.
 */
export function FirstList({ onMade }: { readonly onMade: (listId: string) => void }) {
  const { lists } = useTexts();
  const [name, setName] = useState("");
  const creating = useCreateList(onMade);
  const create = (): void => {
    if (name.trim() !== "" && !creating.isPending) creating.mutate(name.trim());
  };
  return (
    <div role="group" aria-label={lists.noneYet}>
      <Text size="sm" c="dimmed" mb="xs">
        {lists.noneYet}
      </Text>
      <Group align="end" gap="xs">
        <TextInput
          label={lists.firstName}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || isComposing(event)) return;
            event.preventDefault();
            create();
          }}
        />
        <Button variant="default" disabled={name.trim() === ""} loading={creating.isPending} onClick={create}>
          {lists.create}
        </Button>
      </Group>
      {creating.error && (
        <Alert color="red" role="alert" mt="xs">
          {creating.error.message}
        </Alert>
      )}
    </div>
  );
}
