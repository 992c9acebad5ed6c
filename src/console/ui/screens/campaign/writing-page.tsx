import { Alert, SegmentedControl, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import type { Campaign } from "../../api/api.gen.ts";
import { ApiError } from "../../api/client.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { useIsPhone } from "../../frame/use-is-phone.ts";
import type { Person } from "../../letter-editor/preview/contact-picker.tsx";
import { LetterEditor } from "../../letter-editor/letter-editor.tsx";
import { useProblemPlaces } from "../../letter-editor/use-problem-places.ts";
import type { WritingWay } from "../../letter-editor/writing-ways.ts";
import type { SourcePlace } from "../../letter/piece-at.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { AudiencePanel } from "./audience/audience-panel.tsx";
import { audienceOf } from "./draft/draft.ts";
import type { Draft, SetDraft } from "./draft/draft-fields.ts";
import { CampaignElsewhere } from "./draft/campaign-elsewhere.tsx";
import { HeadFields } from "./head-fields.tsx";
import { CheckPanel, LookPanel } from "./look-panel.tsx";
import { useCheck, usePreview } from "./queries.ts";
import { SendBar } from "./sending/send-bar.tsx";
import { useDraft } from "./draft/use-draft.ts";

type PageProps = {
  readonly campaign: Campaign;
  /** Whether it was deleted meanwhile. */
  readonly isGone: boolean;
};

/** Everything about a campaign before it goes out: the letter, who gets it, how it will look, and the button. */
export function WritingPage({ campaign, isGone }: PageProps) {
  const { campaigns, sending } = useTexts();
  const isReadOnly = !useSession().may("editor");
  const shared = useDraft(campaign.id, !isReadOnly);
  const { draft, status, error } = shared;
  const [person, setPerson] = useState<Person | null>(null);
  const check = useCheck(campaign.id, audienceOf(draft), status);
  const preview = usePreview(campaign.id, person?.id ?? null, status.saves);
  if (error) return <LoadError error={error} retry={shared.retry} />;
  if (draft === null) return <Loading />;
  const isDeleted = isGone || shared.isGone;
  return (
    <Page
      wide
      title={draft.name || campaign.name}
      back={{ href: "/campaigns", label: campaigns.title }}
      beside={!isDeleted && <SaveState {...status} error={named(status.error, sending.fields)} />}
      actions={
        <SendBar
          campaign={campaign}
          draft={draft}
          check={check.data}
          person={person}
          isUnsaved={status.isUnsaved}
          isAsShown={shared.isAsShown}
        />
      }
    >
      <ViewOnly says={sending.viewer} />
      <CampaignElsewhere draft={draft} shared={shared} isGone={isDeleted} />
      {shared.isRestored && (
        <Alert color="blue" mb="md">
          {sending.restored}
        </Alert>
      )}
      <Panels
        campaignId={campaign.id}
        draft={draft}
        set={shared.set}
        refused={status.error}
        isReadOnly={isReadOnly}
        check={check.data}
        preview={preview}
        person={person}
        onPerson={setPerson}
      />
    </Page>
  );
}

/** Replaces the API's name of a field in a refusal with its name on the screen. */
function named(error: Error | null, fields: Readonly<Record<string, string>>): Error | null {
  if (!(error instanceof ApiError) || error.field === null) return error;
  const { name, says } = error.field;
  return new ApiError(error.status, error.code, `${fields[name] ?? name}: ${says}`);
}

type PanelsProps = {
  readonly campaignId: string;
  readonly draft: Draft;
  readonly set: SetDraft;
  /** Why it could not be saved. */
  readonly refused: Error | null;
  readonly isReadOnly: boolean;
  readonly check: ReturnType<typeof useCheck>["data"];
  readonly preview: ReturnType<typeof usePreview>;
  readonly person: Person | null;
  readonly onPerson: (person: Person | null) => void;
};

const WAYS: readonly WritingWay[] = ["blocks", "source", "text"];

/**
 * The letter with its head, and beside it whom it goes to, what is wrong, and how it will look. A phone has room for one
 * side of the letter: at first it shows how the letter looks, for who only wants to approve it.
 */
function Panels(props: PanelsProps) {
  const { draft, preview, person, onPerson } = props;
  const { sending } = useTexts();
  const isPhone = useIsPhone();
  const [{ way: chosen, side }, setAddress] = useAddress({ way: "", side: "look" });
  const way = WAYS.find((one) => one === chosen) ?? (draft.format === "mjml" ? "blocks" : "source");
  const show = useCallback((next: WritingWay) => setAddress({ way: next, side: "write" }), [setAddress]);
  const places = useProblemPlaces(draft, way, show);
  const look = <LookPanel key="look" draft={draft} preview={preview} person={person} onPerson={onPerson} />;
  return (
    <>
      <SegmentedControl
        fullWidth
        className="writing-sides"
        aria-label={sending.sideLabel}
        value={side === "write" ? "write" : "look"}
        onChange={(next) => setAddress({ side: next })}
        data={(["look", "write"] as const).map((value) => ({ value, label: sending.sides[value] }))}
      />
      <div className="writing" data-side={side === "write" ? "write" : "look"}>
        <Letter {...props} way={way} onWay={(next) => setAddress({ way: next })} place={places.place} />
        <aside className="writing-aside" aria-label={sending.to}>
          {isPhone && look}
          <ToPanel key="to" {...props} />
          <CheckPanel key="check" preview={preview} body={draft.body} places={places} />
          {!isPhone && look}
        </aside>
      </div>
    </>
  );
}

type LetterProps = PanelsProps & {
  readonly way: WritingWay;
  readonly onWay: (way: WritingWay) => void;
  readonly place: SourcePlace | null;
};

function Letter({ draft, set, refused, isReadOnly, preview, way, onWay, place }: LetterProps) {
  const { campaigns, sending } = useTexts();
  return (
    <div className="writing-letter">
      <TextInput
        label={campaigns.name}
        readOnly={isReadOnly}
        maxLength={200}
        error={draft.name.trim() === "" && sending.nameMissing}
        value={draft.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <HeadFields draft={draft} set={set} refused={refused} isReadOnly={isReadOnly} />
      <LetterEditor
        written={draft}
        onChange={set}
        hasText
        problems={preview.data?.problems ?? []}
        isReadOnly={isReadOnly}
        way={way}
        onWay={onWay}
        place={place}
        onTag={() => draft.personalize || set({ personalize: true })}
      />
    </div>
  );
}

function ToPanel({ campaignId, draft, set, check, isReadOnly }: PanelsProps) {
  const { sending } = useTexts();
  return (
    <section className="panel" aria-labelledby="panel-to">
      <h2 id="panel-to">{sending.to}</h2>
      <AudiencePanel campaignId={campaignId} draft={draft} set={set} check={check} isReadOnly={isReadOnly} />
    </section>
  );
}
