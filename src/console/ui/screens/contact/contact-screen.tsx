import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "wouter";
import type { Contact, ContactUpdate } from "../../api/api.gen.ts";
import { ApiError, api, isNotFound, ok } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { ContactStatusWord } from "../../audience/contact-status-word.tsx";
import { useSession } from "../../frame/session/session.tsx";
import { DeleteByName } from "../../parts/delete-by-name.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { AttributesCard } from "./attributes-card.tsx";
import { History } from "./history.tsx";
import { ListsCard } from "./lists-card.tsx";
import { MailableCard } from "./mailable-card.tsx";
import { PersonCard } from "./person-card.tsx";
import { saveTags } from "./save-tags.ts";

/** One person: who they are, what they get and why not, and what happened. */
export default function ContactScreen() {
  const { id = "" } = useParams();
  const { contact: texts } = useTexts();
  const query = useQuery({
    queryKey: ["contacts", "one", id],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/contacts/{id}", {
          params: { path: { id }, query: { include: "attributes" } },
          signal,
        }),
      ).then(({ data }) => data),
  });
  if (isNotFound(query.error))
    return query.data === undefined ? <NotFound /> : <Gone email={query.data.email} />;
  const error = loadErrorOf(query);
  if (error) return <LoadError error={error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <Page title={texts.back}>
        <Loading />
      </Page>
    );
  return <Person key={id} contact={query.data} />;
}

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

const nothing = (): void => {};

/** Somebody deleted them while their page was open. */
function Gone({ email }: { readonly email: string }) {
  const { contact: texts } = useTexts();
  return (
    <EmptyState
      isPage
      title={texts.gone(email)}
      says={texts.goneSays}
      action={
        <Button component={Link} href="/contacts">
          {texts.toContacts}
        </Button>
      }
    />
  );
}

function Person({ contact }: { readonly contact: Contact }) {
  const { contact: texts } = useTexts();
  const { may } = useSession();
  const { save, keepTags, keepList, saving, savedAt } = useSaving(contact.id);
  const mayEdit = may("editor");
  return (
    <Page
      title={contact.email}
      beside={<ContactStatusWord status={contact.status} />}
      back={{ href: "/contacts", label: texts.back }}
      actions={<SaveState isSaving={saving.isPending} error={saving.error} savedAt={savedAt} />}
    >
      <ViewOnly />
      <div className="contact-columns">
        <div className="contact-cards">
          <MailableCard id={contact.id} status={contact.status} />
          <PersonCard contact={contact} save={mayEdit ? save : null} keepTags={mayEdit ? keepTags : null} />
          <AttributesCard
            contact={contact}
            save={mayEdit ? save : null}
            keepList={mayEdit ? keepList : null}
          />
          <ListsCard contact={contact} mayEdit={mayEdit} />
          {mayEdit && <DeleteButton contact={contact} />}
        </div>
        <History contact={contact} />
      </div>
    </Page>
  );
}

/** Saves what somebody types; the page shows the server's answer. */
function useSaving(id: string) {
  const queries = useQueryClient();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const saving = useMutation({
    scope: { id: `contact ${id}` },
    mutationFn: (change: () => ReturnType<typeof saveTags>) => change(),
    // Who was changed meanwhile, or deleted, is asked for once more, and then the page shows it.
    onError: (error) =>
      isRefusal(error) ? queries.invalidateQueries({ queryKey: ["contacts", "one", id] }) : undefined,
    onSuccess: async ({ data }) => {
      // An answer that was asked for before would bring back what was stored then.
      await queries.cancelQueries({ queryKey: ["contacts", "one", id], exact: true });
      queries.setQueryData(["contacts", "one", id], data);
      setSavedAt(new Date());
      await queries.invalidateQueries({
        queryKey: ["contacts"],
        predicate: ({ queryKey }) => queryKey[1] !== "one",
      });
    },
  });
  // Why it failed is in `saving.error`.
  const done = (saved: Promise<unknown>): Promise<void> => saved.then(nothing, nothing);
  const save = async (body: ContactUpdate): Promise<Contact> => {
    const params = { path: { id }, query: { include: "attributes" as const } };
    // The page may go while it is being saved.
    const change = () => ok(api.PATCH("/api/v1/contacts/{id}", { params, body, keepalive: true }));
    return (await saving.mutateAsync(change)).data;
  };
  return {
    save,
    keepList: (name: string, words: readonly string[]) => done(save({ attributes: { [name]: [...words] } })),
    keepTags: (before: readonly string[], after: readonly string[]) =>
      done(saving.mutateAsync(() => saveTags(id, before, after))),
    saving,
    savedAt,
  };
}

function DeleteButton({ contact: { id, email } }: { readonly contact: Contact }) {
  const { contact: texts } = useTexts();
  return (
    <DeleteByName
      name={email}
      texts={{ ...texts, deleteTitle: () => texts.deleteTitle }}
      list="contacts"
      remove={() => ok(api.DELETE("/api/v1/contacts/{id}", { params: { path: { id } } }))}
    />
  );
}
