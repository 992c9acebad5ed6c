import { ActionIcon, Alert, Button, Group, Menu, Modal, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Automation } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";
import { useDiscarding } from "../../parts/saving/unsaved.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useStatusChange } from "./use-automation.ts";
import type { FlowDraft } from "./use-flow-draft.ts";

type Props = { readonly automation: Automation; readonly draft: FlowDraft; readonly problems: number };

/** The one thing to do next: set it live, pause it, or publish what was changed. */
export function StateActions({ automation, draft, problems }: Props) {
  const { automations: texts } = useTexts();
  const change = useStatusChange(automation.id, async (publishes) => {
    const isAsShown = await draft.isAsShown(publishes);
    if (!isAsShown)
      notifications.show({ color: "yellow", autoClose: false, message: texts.changedMeanwhile });
    return isAsShown;
  });
  const discard = useDiscarding();
  const [isAsking, setAsking] = useState(false);
  const isLive = automation.status === "LIVE";
  return (
    <>
      {change.error && (
        <Alert color="red" role="alert" p="xs">
          {change.error.message}
        </Alert>
      )}
      {draft.isUnpublished && (
        <>
          <Button variant="default" onClick={() => discard(draft.discard)}>
            {texts.discard}
          </Button>
          <Button onClick={() => void draft.flush()}>{texts.publish}</Button>
        </>
      )}
      {isLive ? (
        <Button
          variant="default"
          loading={change.isPending}
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          onClick={() => change.mutate({ to: "PAUSED" })}
        >
          {texts.pause}
        </Button>
      ) : (
        <Button
          loading={change.isPending}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {automation.status === "PAUSED" ? texts.resume : texts.setLive}
        </Button>
      )}
      <LiveQuestion
        opened={isAsking}
        problems={problems}
        isUnpublished={draft.isUnpublished}
        onClose={() => setAsking(false)}
        onConfirm={(publishes) => {
          setAsking(false);
          change.mutate({ to: "LIVE", publishes });
        }}
      />
      <MoreMenu automation={automation} draft={draft} />
    </>
  );
}

type QuestionProps = {
  readonly opened: boolean;
  readonly problems: number;
  readonly isUnpublished: boolean;
  readonly onClose: () => void;
  readonly onConfirm: (publishes: boolean) => void;
};

function LiveQuestion({ opened, problems, isUnpublished, onClose, onConfirm }: QuestionProps) {
  const { automations: texts, frame } = useTexts();
  const { quantity } = useFormat();
  return (
    <Modal opened={opened} onClose={onClose} title={texts.setLiveAsk}>
      <Stack>
        <p>{texts.setLiveSays}</p>
        {problems > 0 && <Alert color="yellow">{texts.setLiveProblems(quantity(problems))}</Alert>}
        {isUnpublished && <p>{texts.resumeUnpublished}</p>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          {isUnpublished ? (
            <>
              <Button variant="default" data-autofocus onClick={() => onConfirm(false)}>
                {texts.resumeWithout}
              </Button>
              <Button onClick={() => onConfirm(true)}>{texts.resumeWith}</Button>
            </>
          ) : (
            <Button data-autofocus onClick={() => onConfirm(false)}>
              {problems > 0 ? texts.setLiveAnyway : texts.setLive}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function MoreMenu({ automation: { id, name }, draft }: Pick<Props, "automation" | "draft">) {
  const { automations: texts, frame } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={frame.menu}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setRenaming(true)}>
            {texts.rename}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {texts.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isRenaming} onClose={() => setRenaming(false)} title={texts.rename}>
        <NameForm draft={draft} onDone={() => setRenaming(false)} />
      </Modal>
      <DeleteDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        name={name}
        title={texts.removeAsk}
        says={texts.removeSays}
        action={texts.remove}
        remove={() => ok(api.DELETE("/api/v1/automations/{id}", { params: { path: { id } } }))}
        list="automations"
      />
    </>
  );
}

function NameForm({ draft, onDone }: { readonly draft: FlowDraft; readonly onDone: () => void }) {
  const { automations: texts } = useTexts();
  const [name, setName] = useState(draft.name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        draft.rename(name.trim());
        onDone();
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={texts.name}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === ""}>
            {texts.rename}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
