import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { CampaignReport, CampaignStat } from "../../api/api.gen.ts";
import { contactsAddress } from "../../audience/contacts-address.ts";
import { useFormat } from "../../frame/format.ts";
import { Count, Share } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useUsual } from "./queries.ts";

type Props = { readonly id: string; readonly report: CampaignReport };

/** Shares of everybody it was planned for. The other figures are shares of those who got it. */
const OF_ALL: readonly Figure[] = ["sent", "bounced"];
const FIGURES = ["sent", "opened", "clicked", "unsubscribed", "bounced"] as const;
type Figure = (typeof FIGURES)[number];

/** What contacts can be asked about themselves. */
const ASKED_OF_CONTACTS: readonly Figure[] = ["opened", "clicked"];

/** Each figure as a number, its share, and the usual share. Two of them lead to the people that they count. */
export function Figures({ id, report }: Props) {
  const { report: texts } = useTexts();
  const { number, share, quantity } = useFormat();
  const usual = useUsual(id).data ?? [];
  return (
    <div>
      <dl className="report-figures">
        {FIGURES.map((figure) => {
          const often = usualShare(usual, figure);
          const count = <Count value={report[figure]} />;
          return (
            <div key={figure}>
              <dt>{texts.figures[figure]}</dt>
              <dd>
                {ASKED_OF_CONTACTS.includes(figure) && report[figure] > 0 ? (
                  <Link
                    href={contactsAddress({ field: figure, op: "equals", value: id })}
                    aria-label={texts.seeWho(texts.figures[figure], number(report[figure]))}
                  >
                    {count}
                  </Link>
                ) : (
                  count
                )}
              </dd>
              <dd className="report-share">
                <Share part={report[figure]} whole={OF_ALL.includes(figure) ? report.planned : report.sent} />
                {often !== null && ` · ${texts.usual(share(often))}`}
              </dd>
            </div>
          );
        })}
      </dl>
      {report.machine.opened > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.machines(quantity(report.machine.opened))}
        </Text>
      )}
    </div>
  );
}

/** The share in the last ten campaigns; null if they do not tell. Opt-outs are counted only in reports. */
function usualShare(usual: readonly CampaignStat[], figure: Figure): number | null {
  if (figure === "sent" || figure === "unsubscribed") return null;
  const whole = usual.reduce(
    (sum, { delivered, bounced }) => sum + (delivered ?? 0) + (OF_ALL.includes(figure) ? bounced : 0),
    0,
  );
  return whole === 0 ? null : usual.reduce((sum, stat) => sum + stat[figure], 0) / whole;
}
