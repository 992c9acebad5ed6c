import { ActionIcon, Paper, Stack, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Contact, ContactList } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useChoices, useHasNoList } from "../../audience/choices.ts";
import { FirstList } from "../../audience/first-list.tsx";
import { ListPicker } from "../../audience/list-picker.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useUndo } from "../../parts/saving/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly contact: Contact; readonly mayEdit: boolean };

/** The lists of a contact, with buttons to join and leave. */
export function ListsCard({ contact, mayEdit }: Props) {
  const { contact: texts } = useTexts();
  const { lists, change } = useMembership(contact.id);
  const undo = useUndo();
  const leave = (list: Pick<ContactList, "id" | "name">): void =>
    change.mutate(
      { listId: list.id, joins: false },
      {
        onSuccess: () =>
          mayJoin && undo(texts.listLeft(list.name), () => change.mutate({ listId: list.id, joins: true })),
      },
    );
  const all = useChoices("list");
  const hasNone = useHasNoList();
  const on = lists.data ?? [];
  const mayJoin = contact.status === "SUBSCRIBED" || contact.status === "PENDING";
  const others = all.filter(({ id }) => !on.some((list) => list.id === id));
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>{texts.lists}</Title>
        {lists.error && <LoadError error={lists.error} retry={() => void lists.refetch()} />}
        {change.error && <LoadError error={change.error} />}
        {lists.data?.length === 0 && <p className="contact-none">{texts.noLists}</p>}
        {on.map(({ id, name }) => (
          <div className="contact-list" key={id}>
            <Link href={`/lists/${id}`}>{name}</Link>
            {mayEdit && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={texts.removeFromList(name)}
                onClick={() => leave({ id, name })}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
        {mayEdit && !mayJoin && <p className="contact-none">{texts.mayNotJoin}</p>}
        {mayEdit && mayJoin && hasNone && (
          <FirstList onMade={(listId) => change.mutate({ listId, joins: true })} />
        )}
        {mayEdit && mayJoin && others.length > 0 && (
          <ListPicker
            // Anew for each list: what was typed to find one is over.
            key={on.length}
            label={texts.addToList}
            isLabelSaid
            lists={others}
            value=""
            onChange={(listId) => listId !== "" && change.mutate({ listId, joins: true })}
            none={texts.addToList}
          />
        )}
      </Stack>
    </Paper>
  );
}

function useMembership(contactId: string) {
  const queries = useQueryClient();
  const lists = useQuery({
    queryKey: ["contacts", "lists", contactId],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/contacts/{id}/lists", { params: { path: { id: contactId } }, signal })).then(
        ({ data }) => data,
      ),
  });
  const change = useMutation({
    mutationFn: async ({
      listId,
      joins,
    }: {
      readonly listId: string;
      readonly joins: boolean;
    }): Promise<void> => {
      if (joins)
        await ok(
          api.POST("/api/v1/lists/{id}/contacts", { params: { path: { id: listId } }, body: { contactId } }),
        );
      else
        await ok(
          api.DELETE("/api/v1/lists/{id}/contacts/{contactId}", {
            params: { path: { id: listId, contactId } },
          }),
        );
    },
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === "lists" || queryKey[2] === contactId,
      }),
  });
  return { lists, change };
}
