import { Alert, Button, Modal, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { useChoices, useHasNoList } from "../../audience/choices.ts";
import { FirstList } from "../../audience/first-list.tsx";
import { ListPicker } from "../../audience/list-picker.tsx";
import { useGoOn } from "../../frame/still-here.ts";
import { DialogForm } from "../../parts/saving/dialog-form.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Asks for what visitors would see and join at once: a form is online as soon as it is made. */
export function NewForm() {
  const { forms } = useTexts();
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
        {forms.create}
      </Button>
      <Modal opened={isMaking} onClose={() => setMaking(false)} title={forms.newOne}>
        <Questions onClose={() => setMaking(false)} />
      </Modal>
    </>
  );
}

function Questions({ onClose }: { readonly onClose: () => void }) {
  const { forms } = useTexts();
  const lists = useChoices("list");
  const hasNone = useHasNoList();
  const [name, setName] = useState("");
  const [listId, setListId] = useState("");
  const making = useMake();
  return (
    <DialogForm
      action={forms.createIt}
      isBusy={making.isPending}
      isOff={name.trim() === ""}
      onSubmit={() => making.mutate({ name: name.trim(), listId: listId || null })}
      onClose={onClose}
    >
      <p className="forms-new-says">{forms.newSays}</p>
      <TextInput
        data-autofocus
        required
        label={forms.name}
        description={forms.nameSays}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {hasNone ? (
        <FirstList onMade={setListId} />
      ) : (
        <ListPicker
          label={forms.list}
          description={forms.listSays}
          value={listId}
          onChange={setListId}
          none={forms.noList}
          lists={lists}
        />
      )}
      {making.error && (
        <Alert color="red" role="alert">
          {making.error.message}
        </Alert>
      )}
    </DialogForm>
  );
}

function useMake() {
  const goOn = useGoOn();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; listId: string | null }) => ok(api.POST("/api/v1/forms", { body })),
    onSuccess: async ({ data }) => {
      // First, because the list that is loaded again has its button elsewhere, without this question.
      goOn(`/forms/${data.id}`);
      await queries.invalidateQueries({ queryKey: ["forms"] });
    },
  });
}
