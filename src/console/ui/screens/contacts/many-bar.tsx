import { Button, Group, Menu, Modal, Stack } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useChoices, useHasNoList } from "../../audience/choices.ts";
import { FirstList } from "../../audience/first-list.tsx";
import { TagInput } from "../../audience/tag-input.tsx";
import { ListPicker } from "../../audience/list-picker.tsx";
import { useFormat } from "../../frame/format.ts";
import { ConfirmByTyping } from "../../parts/confirm-by-typing.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";
import type { Choosing } from "./choosing.ts";
import { exportChosen, type Chosen, type ManyAction } from "./many.ts";

type Kind = ManyAction["action"];

type Props = {
  readonly choosing: Choosing;
  /** How many fit the filter. */
  readonly total: number;
  readonly chosen: Chosen;
  readonly run: (action: ManyAction, count: number) => void;
};

/** The actions for those who are chosen; every button says how many they are. */
export function ManyBar({ choosing, total, chosen, run }: Props) {
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const [asked, setAsked] = useState<Kind | null>(null);
  const count = choosing.count(total);
  const done = (action: ManyAction): void => {
    setAsked(null);
    run(action, count);
  };
  return (
    <div className="contacts-many" role="group" aria-label={contacts.chosen(quantity(count))}>
      <strong>{contacts.chosen(quantity(count))}</strong>
      {total > count && (
        <Button size="compact-sm" variant="subtle" onClick={choosing.all}>
          {contacts.chooseAll(quantity(total))}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={choosing.none}>
        {contacts.chooseNone}
      </Button>
      <span className="contacts-gap" />
      <TagAndListMenu onChoose={setAsked} />
      <ExportButton chosen={chosen} />
      <Button
        size="compact-sm"
        variant="default"
        c="var(--mantine-color-error)"
        onClick={() => setAsked("delete")}
      >
        {contacts.delete}
      </Button>
      <WhatWith kind={asked} count={count} onClose={() => setAsked(null)} onDone={done} />
      <ConfirmByTyping
        opened={asked === "delete"}
        onClose={() => setAsked(null)}
        title={contacts.deleteTitle(quantity(count))}
        answer={String(count)}
        action={contacts.doDelete(quantity(count))}
        isDangerous
        onConfirm={() => done({ action: "delete" })}
      >
        {contacts.deleteSays}
      </ConfirmByTyping>
    </div>
  );
}

function TagAndListMenu({ onChoose }: { readonly onChoose: (kind: Kind) => void }) {
  const { contacts } = useTexts();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {contacts.tag} / {contacts.list}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(["addTag", "removeTag", "addToList", "removeFromList"] as const).map((kind) => (
          <Menu.Item key={kind} onClick={() => onChoose(kind)}>
            {contacts[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ExportButton({ chosen }: { readonly chosen: Chosen }) {
  const { contacts } = useTexts();
  const saving = useMutation({ mutationFn: () => exportChosen(chosen) });
  const start = (): void => saving.mutate();
  return (
    <>
      <Button size="compact-sm" variant="default" disabled={saving.isPending} onClick={start}>
        {saving.isPending ? contacts.exporting : contacts.export}
      </Button>
      {saving.error && <LoadError error={saving.error} retry={start} />}
    </>
  );
}

type WhatProps = {
  readonly kind: Kind | null;
  readonly count: number;
  readonly onClose: () => void;
  readonly onDone: (action: ManyAction) => void;
};

/** Asks which tag or list. */
function WhatWith({ kind, count, onClose, onDone }: WhatProps) {
  const { contacts } = useTexts();
  const isOpen = kind !== null && kind !== "delete";
  return (
    <Modal opened={isOpen} onClose={onClose} title={isOpen ? contacts[kind] : ""}>
      {(kind === "addTag" || kind === "removeTag") && <TagForm kind={kind} count={count} onDone={onDone} />}
      {(kind === "addToList" || kind === "removeFromList") && (
        <ListForm kind={kind} count={count} onDone={onDone} />
      )}
    </Modal>
  );
}

type FormProps<K> = { readonly kind: K; readonly count: number; readonly onDone: WhatProps["onDone"] };

function TagForm({ kind, count, onDone }: FormProps<"addTag" | "removeTag">) {
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const [tag, setTag] = useState("");
  const says = kind === "addTag" ? contacts.doAddTag : contacts.doRemoveTag;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (tag.trim() !== "") onDone({ action: kind, tag: tag.trim() });
      }}
    >
      <Stack>
        <TagInput isFirst label={contacts.tag} value={tag} onChange={setTag} />
        <Group justify="flex-end">
          <Button type="submit" disabled={tag.trim() === ""}>
            {says(quantity(count))}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ListForm({ kind, count, onDone }: FormProps<"addToList" | "removeFromList">) {
  const { contacts } = useTexts();
  const { quantity } = useFormat();
  const lists = useChoices("list");
  const hasNone = useHasNoList();
  const [listId, setListId] = useState("");
  const says = kind === "addToList" ? contacts.doAddToList : contacts.doRemoveFromList;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (listId !== "") onDone({ action: kind, listId });
      }}
    >
      <Stack>
        {hasNone ? (
          <FirstList onMade={setListId} />
        ) : (
          <ListPicker
            isFirst
            label={contacts.list}
            lists={lists}
            value={listId}
            onChange={setListId}
            none={contacts.chooseList}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" disabled={listId === ""}>
            {says(quantity(count))}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
