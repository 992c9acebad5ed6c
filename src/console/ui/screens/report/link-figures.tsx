import { Table, Text, Title } from "@mantine/core";
import type { CampaignLink } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { LetterFrame } from "../../parts/letter-frame.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Count } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { usePreview } from "../campaign/queries.ts";
import { markedLinks } from "./marked-links.ts";
import { useLinks } from "./queries.ts";

/** The links by their clicks, and the letter with the clicks on them. */
export function LinkFigures({ id }: { readonly id: string }) {
  const { report } = useTexts();
  const links = useLinks(id);
  return (
    <section aria-labelledby="links">
      <Title order={2} id="links" mb="xs">
        {report.links}
      </Title>
      {links.error && <LoadError error={links.error} retry={() => void links.refetch()} />}
      {links.data === undefined && !links.error && <Loading />}
      {links.data && <Ranked id={id} links={links.data} />}
    </section>
  );
}

function Ranked({ id, links }: { readonly id: string; readonly links: readonly CampaignLink[] }) {
  const { report } = useTexts();
  if (links.length === 0) return <Text c="dimmed">{report.noLinks}</Text>;
  return (
    <div className="report-links">
      <div>
        <LinkTable links={links} />
      </div>
      <MarkedLetter id={id} links={links} />
    </div>
  );
}

function LinkTable({ links }: { readonly links: readonly CampaignLink[] }) {
  const { report } = useTexts();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{report.link}</Table.Th>
          <Table.Th ta="right">{report.clicks}</Table.Th>
          <Table.Th ta="right">{report.people}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {links.map(({ url, clicks, recipients }) => (
          <Table.Tr key={url}>
            <Table.Td className="report-url">{url}</Table.Td>
            <Table.Td ta="right">
              <Count value={clicks} />
            </Table.Td>
            <Table.Td ta="right">
              <Count value={recipients} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function MarkedLetter({ id, links }: { readonly id: string; readonly links: readonly CampaignLink[] }) {
  const { report } = useTexts();
  const { number } = useFormat();
  const preview = usePreview(id, null, 0);
  if (preview.error) return <LoadError error={preview.error} />;
  if (preview.data === undefined) return <Loading />;
  return (
    <figure className="report-letter">
      <LetterFrame
        html={markedLinks(preview.data.html, links, number)}
        title={report.shown}
        width={440}
        height={460}
      />
      <figcaption>{report.shown}</figcaption>
    </figure>
  );
}
