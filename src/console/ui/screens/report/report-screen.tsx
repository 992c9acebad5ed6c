import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Link, useParams } from "wouter";
import type { Campaign, CampaignReport } from "../../api/api.gen.ts";
import { isNotFound } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useIsCaptured } from "../../api/settings.ts";
import { useFormat } from "../../frame/format.ts";
import { facts } from "../../frame/page-facts.ts";
import { useSession } from "../../frame/session/session.tsx";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { CampaignMenu } from "../campaign/campaign-menu.tsx";
import { useCampaign } from "../campaign/queries.ts";
import { durationOf } from "../campaign/sending/duration.ts";
import { TONES, type CampaignState } from "../campaigns/campaign-state.ts";
import { Figures } from "./figures.tsx";
import { LinkFigures } from "./link-figures.tsx";
import { Outcomes } from "./outcomes.tsx";
import { Progress } from "./progress.tsx";
import { isUnderWay, useReport } from "./queries.ts";
import { ResendButton } from "./resend-button.tsx";
import { Timeline } from "./timeline.tsx";

/** The results of a campaign, while it goes out and after. */
export default function ReportScreen() {
  const { id } = useParams<{ id: string }>();
  const report = useReport(id);
  const campaign = useCampaign(id, report.data !== undefined && isUnderWay(report.data));
  if ([report.error, campaign.error].some(isNotFound)) return <NotFound />;
  const error = loadErrorOf(report) ?? loadErrorOf(campaign);
  if (error)
    return <LoadError error={error} retry={() => void Promise.all([report.refetch(), campaign.refetch()])} />;
  if (report.data === undefined || campaign.data === undefined) return <Loading />;
  return <Shown campaign={campaign.data} report={report.data} />;
}

type Props = { readonly campaign: Campaign; readonly report: CampaignReport };

function Shown({ campaign, report }: Props) {
  const { campaigns } = useTexts();
  const { may } = useSession();
  const state: CampaignState = isUnderWay(report) ? "SENDING" : campaign.status;
  const hasBegun = report.startedAt !== null || report.planned > 0 || campaign.status === "SENT";
  return (
    <Page
      title={campaign.name}
      back={{ href: "/campaigns", label: campaigns.title }}
      beside={<StatusWord tone={TONES[state]}>{campaigns.states[state]}</StatusWord>}
      says={campaign.subject === campaign.name ? null : campaign.subject}
      actions={
        may("editor") && (
          <>
            {state === "SENT" && <ResendButton campaign={campaign} />}
            <CampaignMenu campaign={campaign} />
          </>
        )
      }
    >
      {hasBegun ? <Body campaign={campaign} report={report} /> : <NotBegun campaign={campaign} />}
    </Page>
  );
}

function NotBegun({ campaign }: Pick<Props, "campaign">) {
  const { report } = useTexts();
  const { may } = useSession();
  return (
    <EmptyState
      title={report.notBegun}
      says={report.notBegunSays}
      action={
        may("editor") && (
          <Button component={Link} href={`/campaigns/${encodeURIComponent(campaign.id)}`}>
            {report.write}
          </Button>
        )
      }
    />
  );
}

function Body({ campaign, report }: Props) {
  const { id } = campaign;
  return (
    <Stack gap={32}>
      <Stack gap="md">
        <Times report={report} />
        <Captured />
        {report.finishedAt === null && <Progress id={id} report={report} />}
        <Figures id={id} report={report} />
      </Stack>
      <Timeline id={id} />
      <LinkFigures id={id} />
      <Outcomes id={id} report={report} />
    </Stack>
  );
}

/** Says that mail is captured, so that nobody thinks that it arrived. */
function Captured() {
  const { report, settings } = useTexts();
  const isCaptured = useIsCaptured() ?? false;
  if (!isCaptured) return null;
  return (
    <Text size="sm">
      {report.captured}{" "}
      <Anchor inherit href={`${facts.root}/mailbox`} target="_blank" underline="always">
        {settings.test.read}
      </Anchor>
    </Text>
  );
}

function Times({ report }: Pick<Props, "report">) {
  const { report: texts, sending } = useTexts();
  const { dateTime, quantity } = useFormat();
  const { startedAt, finishedAt } = report;
  if (startedAt === null) return null;
  const seconds =
    finishedAt === null ? 0 : Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000);
  return (
    <Text size="sm" c="dimmed">
      {texts.started} <RelativeTime at={startedAt} /> · {dateTime(startedAt)}
      {finishedAt !== null &&
        ` · ${texts.took(seconds < 60 ? texts.seconds(quantity(Math.max(1, seconds))) : durationOf(seconds, { words: sending, quantity }))}`}
    </Text>
  );
}
