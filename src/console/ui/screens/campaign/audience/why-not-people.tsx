import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Contact } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { Count } from "../../../parts/numbers.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { useTexts } from "../../../texts/texts.tsx";

const REASONS = ["EXCLUDED", "SUPPRESSED", "BLOCKED_DOMAIN", "NOT_SUBSCRIBED"] as const;
type Reason = (typeof REASONS)[number];

type Props = {
  readonly campaignId: string;
  readonly left: readonly { readonly reason: string; readonly count: number }[];
};

/** Why people are left out, with counts. Each reason opens its people. */
export function WhyNot({ campaignId, left }: Props) {
  const { sending } = useTexts();
  const [open, setOpen] = useState<Reason | null>(null);
  if (open !== null)
    return (
      <>
        <Button size="compact-sm" variant="subtle" mb="sm" onClick={() => setOpen(null)}>
          {sending.allReasons}
        </Button>
        <Text size="sm" mb="sm">
          {sending.reasons[open]}
        </Text>
        <People campaignId={campaignId} reason={open} />
      </>
    );
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm">
        {sending.whyNotSays}
      </Text>
      <ul className="why-not">
        {left.map(({ reason, count }) => {
          const known = REASONS.find((one) => one === reason);
          const says = sending.reasons[reason] ?? reason;
          return (
            <li key={reason}>
              <Count value={count} />
              <span className="why-not-says">{says}</span>
              {known && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={`${sending.seePeople}: ${says}`}
                  onClick={() => setOpen(known)}
                >
                  {sending.seePeople}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function People({ campaignId, reason }: { readonly campaignId: string; readonly reason: Reason }) {
  const { sending } = useTexts();
  const pages = usePages<Contact>(["campaign", campaignId, "left-out", reason], ({ query, signal }) =>
    ok(
      api.GET("/api/v1/campaigns/{id}/check/contacts", {
        params: { path: { id: campaignId }, query: { ...query, reason, limit: 50 } },
        signal,
      }),
    ),
  );
  return (
    <Paged pages={pages} empty={<Text>{sending.nobodyNow}</Text>}>
      {(people) => (
        <ul className="why-not">
          {people.map(({ id, email }) => (
            <li key={id}>
              <Link href={`/contacts/${encodeURIComponent(id)}`}>{email}</Link>
            </li>
          ))}
        </ul>
      )}
    </Paged>
  );
}
