import { Table, Text, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { CampaignLink } from "../../api/api.gen.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useFormat } from "../../frame/format.ts";
import { LetterFrame } from "../../parts/letter-frame.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Count } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { usePreview } from "../campaign/queries.ts";
import { linkName, litLinks } from "./lit-link.ts";
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
  const [lit, setLit] = useState<number | null>(null);
  if (links.length === 0) return <Text c="dimmed">{report.noLinks}</Text>;
  return (
    <div className="report-links">
      <div>
        <LinkTable links={links} lit={lit} onLight={setLit} />
      </div>
      <MarkedLetter id={id} links={links} lit={lit} />
    </div>
  );
}

type TableProps = {
  readonly links: readonly CampaignLink[];
  /** Which of them is lit up on the letter. */
  readonly lit: number | null;
  readonly onLight: (at: number | null) => void;
};

function LinkTable({ links, lit, onLight }: TableProps) {
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
        {links.map(({ url, clicks, recipients }, at) => (
          <Table.Tr
            key={url}
            data-lit={lit === at || undefined}
            onMouseEnter={() => onLight(at)}
            onMouseLeave={() => onLight(null)}
          >
            <Table.Td className="report-url">
              <LinkButton url={url} onLight={(isOn) => onLight(isOn ? at : null)} />
            </Table.Td>
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

type ButtonProps = { readonly url: string; readonly onLight: (isOn: boolean) => void };

/** By the keyboard, and on a phone, where the letter stands below. */
function LinkButton({ url, onLight }: ButtonProps) {
  const { report } = useTexts();
  return (
    <UnstyledButton
      title={report.showLink}
      aria-label={`${report.showLink}: ${url}`}
      onFocus={() => onLight(true)}
      onBlur={() => onLight(false)}
      onClick={() => document.getElementById(LETTER)?.scrollIntoView({ block: "nearest" })}
    >
      {url}
    </UnstyledButton>
  );
}

const LETTER = "report-letter";

type LetterProps = Pick<TableProps, "links" | "lit"> & { readonly id: string };

function MarkedLetter({ id, links, lit }: LetterProps) {
  const { report } = useTexts();
  const { number } = useFormat();
  const preview = usePreview(id, null, 0);
  const error = loadErrorOf(preview);
  if (error) return <LoadError error={error} />;
  if (preview.data === undefined) return <Loading />;
  return (
    <figure className="report-letter" id={LETTER}>
      <LetterFrame
        html={markedLinks(preview.data.html, links, number) + litLinks(links.length)}
        title={report.shown}
        width={440}
        height={460}
        part={lit === null ? null : linkName(lit)}
      />
      <figcaption>{report.shown}</figcaption>
    </figure>
  );
}
