import { Table } from "@mantine/core";
import { Link } from "wouter";
import type { Bounce } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useAddress } from "../../frame/use-address.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { BounceDetail } from "./bounce-detail.tsx";

const DEFAULTS = { bounce: "" };

/** Mails about failed mail that only a person can read; one of them, with its text. */
export function BouncesTab() {
  const [{ bounce: id }] = useAddress(DEFAULTS);
  return id === "" ? <BounceList /> : <BounceDetail key={id} id={id} />;
}

function BounceList() {
  const { bounces: texts } = useTexts().activity;
  const pages = usePages<Bounce>(["bounces"], ({ query, signal }) =>
    ok(api.GET("/api/v1/bounces", { params: { query }, signal })),
  );
  return (
    <Paged pages={pages} empty={<EmptyState title={texts.none} says={texts.noneSays} />}>
      {(items) => (
        <>
          <p className="activity-notice">{texts.says}</p>
          <Table.ScrollContainer minWidth={520}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {Object.entries(texts.columns).map(([name, label]) => (
                    <Table.Th key={name}>{label}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map(({ id, subject, from, receivedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td className="activity-long">
                      <Link href={`/activity?tab=bounces&bounce=${id}`}>{subject || texts.noSubject}</Link>
                    </Table.Td>
                    <Table.Td className="activity-long">{from || texts.noFrom}</Table.Td>
                    <Table.Td className="activity-when">
                      <RelativeTime at={receivedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </Paged>
  );
}
