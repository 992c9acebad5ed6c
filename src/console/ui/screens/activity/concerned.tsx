import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import type { BounceMail, Contact } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { ContactStatusWord } from "../../audience/contact-status-word.tsx";
import { useSession } from "../../frame/session/session.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { addressesIn } from "./addresses-in.ts";

/** A report is about one person, seldom about some. */
const SHOWN = 5;

/** The contacts whose addresses stand in a mail: who it may be about, and what can be done. */
export function Concerned({ mail }: { readonly mail: BounceMail }) {
  const { bounces: texts } = useTexts().activity;
  const addresses = useMemo(() => addressesIn(mail), [mail]);
  const people = useQuery({
    queryKey: ["contacts", "named", addresses],
    queryFn: ({ signal }) => contactsOf(addresses, signal),
  });
  if (people.data === undefined || people.data.length === 0) return null;
  return (
    <section aria-labelledby="concerned" className="activity-concerned">
      <h3 id="concerned">{texts.concerned}</h3>
      <p className="activity-notice">{texts.concernedSays}</p>
      {people.data.map((contact) => (
        <OneConcerned key={contact.id} contact={contact} />
      ))}
    </section>
  );
}

async function contactsOf(addresses: readonly string[], signal: AbortSignal): Promise<Contact[]> {
  const found = await Promise.all(
    addresses.map(async (q) => {
      const { data } = await ok(api.GET("/api/v1/contacts", { params: { query: { q, limit: 20 } }, signal }));
      return data.filter(({ email }) => email === q);
    }),
  );
  return found.flat().slice(0, SHOWN);
}

function OneConcerned({ contact: { id, email, status } }: { readonly contact: Contact }) {
  const { bounces: texts } = useTexts().activity;
  const { may } = useSession();
  const stopping = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/suppressions", { body: { email, reason: "HARD_BOUNCE" } })),
  });
  return (
    <div className="activity-person">
      <Link href={`/contacts/${id}`}>{email}</Link>
      <ContactStatusWord status={status} />
      {may("editor") && !stopping.isSuccess && (
        <Button
          size="compact-sm"
          variant="default"
          loading={stopping.isPending}
          onClick={() => stopping.mutate()}
        >
          {texts.mailNoMore(email)}
        </Button>
      )}
      {stopping.isSuccess && <span role="status">{texts.mailedNoMore}</span>}
      {stopping.error && <LoadError error={stopping.error} />}
    </div>
  );
}
