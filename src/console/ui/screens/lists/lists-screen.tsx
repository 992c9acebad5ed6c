import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { ContactList } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useCreateList } from "../../audience/create-list.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { useShortcut } from "../../frame/shortcuts.ts";
import { useGoOn } from "../../frame/still-here.ts";
import { nameColumn, whenColumn } from "../../parts/lists/columns.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { Count } from "../../parts/numbers.tsx";
import { NameSearch } from "../../parts/name-search.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { NothingFits } from "../../parts/states/nothing-fits.tsx";
import { useTexts } from "../../texts/texts.tsx";

const SEARCH = { q: "" };

/** Every list, with how many are on it. */
export default function ListsScreen() {
  const { lists } = useTexts();
  const { may } = useSession();
  const [isCreating, setCreating] = useState(false);
  useShortcut("n", lists.create, () => may("editor") && setCreating(true));
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {lists.create}
    </Button>
  );
  const own = may("editor") ? button : null;
  const [{ q }, setAddress] = useAddress(SEARCH);
  const pages = usePages<ContactList>(["lists", "pages", q], ({ query, signal }) =>
    ok(api.GET("/api/v1/lists", { params: { query: { ...query, q, limit: 50 } }, signal })),
  );
  const isNew = pages.items?.length === 0 && q === "";
  const none = isNew ? (
    <EmptyState title={lists.empty} says={lists.emptySays} action={own} />
  ) : (
    <NothingFits texts={lists} onShowAll={() => setAddress(SEARCH)} />
  );
  return (
    <Page title={lists.title} says={lists.says} actions={!isNew && own}>
      {!isNew && <NameSearch label={lists.search} value={q} onSearch={(text) => setAddress({ q: text })} />}
      <Paged pages={pages} empty={none}>
        {(all) => <ListTable lists={all} />}
      </Paged>
      <Modal opened={isCreating} onClose={() => setCreating(false)} title={lists.create}>
        <NewList />
      </Modal>
    </Page>
  );
}

function ListTable({ lists: all }: { readonly lists: readonly ContactList[] }) {
  const { lists } = useTexts();
  return (
    <DataTable
      phone="rows"
      items={all}
      keyOf={({ id }) => id}
      columns={[
        nameColumn(lists.name, (id) => `/lists/${id}`),
        { label: lists.members, kind: "number", cell: ({ contactCount }) => <Count value={contactCount} /> },
        whenColumn(lists.created, "createdAt"),
      ]}
    />
  );
}

function NewList() {
  const { lists } = useTexts();
  const [name, setName] = useState("");
  const goOn = useGoOn();
  const creating = useCreateList((id) => goOn(`/lists/${id}`));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") creating.mutate(name.trim());
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          required
          label={lists.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {creating.error && (
          <Alert color="red" role="alert">
            {creating.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            {lists.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
