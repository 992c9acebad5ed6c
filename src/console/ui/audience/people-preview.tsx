import { Button, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { SegmentPreview } from "../api/api.gen.ts";
import { api, ok } from "../api/client.ts";
import { ContactStatusWord } from "./contact-status-word.tsx";
import { contactsAddress } from "./contacts-address.ts";
import { asSegmentRules, type Json } from "./rules/model.ts";
import { useFormat } from "../frame/format.ts";
import { LoadError } from "../parts/states/load-error.tsx";
import { useTexts } from "../texts/texts.tsx";

const PAUSE_MS = 300;

type Props = {
  /** Null: there are none, or they are not finished. Then nobody is counted: the last count was of other rules. */
  readonly rules: Json | null;
  readonly isEmpty: boolean;
  /** Says what to do when there is nobody. */
  readonly nobody?: ReactNode;
};

/** How many the rules hold for now, and the newest of them. Updated while somebody changes the rules. */
export function PeoplePreview({ rules, isEmpty, nobody }: Props) {
  const { segments } = useTexts();
  const { quantity } = useFormat();
  const [asked] = useDebouncedValue(rules, PAUSE_MS);
  const { data, error, isFetching, refetch } = useQuery<SegmentPreview>({
    queryKey: ["segments", "preview", asked],
    enabled: asked !== null,
    placeholderData: (before) => before,
    queryFn: ({ signal }): Promise<SegmentPreview> =>
      ok(api.POST("/api/v1/segments/preview", { body: { rules: asSegmentRules(asked) }, signal })).then(
        (answer) => answer.data,
      ),
  });
  const counted = rules === null ? undefined : data;
  const awaited = rules === null ? segments.unfinished : segments.counting;
  const countText =
    counted === undefined ? awaited : segments.count(quantity(counted.total), quantity(counted.subscribed));
  if (error && data === undefined) return <LoadError error={error} retry={() => void refetch()} />;
  return (
    <section className="segments-preview" aria-labelledby="newest">
      <p
        role="status"
        className="segments-count"
        data-empty={isEmpty || undefined}
        data-old={isFetching || undefined}
      >
        {isEmpty ? segments.everybody : countText}
      </p>
      {counted?.total === 0 && nobody}
      {!isEmpty && counted && !(counted.total === 0 && nobody) && (
        <>
          <Title order={2} id="newest">
            {segments.newest}
          </Title>
          {counted.sample.length === 0 && <p className="contact-none">{segments.nobody}</p>}
          <ul className="segments-sample">
            {counted.sample.map(({ id, email, status }) => (
              <li key={id}>
                <Link href={`/contacts/${id}`}>{email}</Link>
                <ContactStatusWord status={status} />
              </li>
            ))}
          </ul>
          {counted.total > counted.sample.length && asked !== null && (
            <Button component={Link} variant="default" href={contactsAddress(asked)}>
              {segments.seePeople(quantity(counted.total))}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
