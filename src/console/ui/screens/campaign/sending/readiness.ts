import type { CampaignCheck, Settings } from "../../../api/api.gen.ts";
import type { Draft } from "../draft/draft-fields.ts";

type Checked = Pick<Draft, "subject" | "body" | "listId" | "segmentId" | "fromEmail">;

type Asked = {
  readonly draft: Checked;
  readonly check: CampaignCheck | undefined;
  readonly settings: Pick<Settings, "fromEmail" | "mailingAddress"> | undefined;
  readonly isUnsaved: boolean;
  /** Nobody is on the list that was chosen. */
  readonly isEmptyList: boolean;
};

type Words = Readonly<
  Record<
    | "subjectMissing"
    | "bodyMissing"
    | "noAudience"
    | "emptyList"
    | "noAddress"
    | "noSender"
    | "nobodyLeft"
    | "waitsForSave",
    string
  >
>;

/**
 * Whether the letter can be sent now, and the first obstacle. What people can correct on a screen is said in the
 * words of the screens; everything else is the server's own sentence.
 */
export function readinessOf({ draft, check, settings, isUnsaved, isEmptyList }: Asked, words: Words) {
  const recipients = check?.recipients ?? 0;
  const own = ownReason(draft, settings, words) ?? (isEmptyList && recipients === 0 ? words.emptyList : null);
  const refusal = check?.refusal?.message ?? null;
  const nobody = check !== undefined && recipients === 0 ? words.nobodyLeft : null;
  // The server's refusal concerns what is saved.
  const why = own ?? (isUnsaved ? words.waitsForSave : (refusal ?? nobody));
  const isOff = check === undefined || why !== null;
  return { recipients, isOff, why };
}

function ownReason(draft: Checked, settings: Asked["settings"], words: Words): string | null {
  if (draft.subject.trim() === "") return words.subjectMissing;
  if (draft.body.trim() === "") return words.bodyMissing;
  if (draft.listId === null && draft.segmentId === null) return words.noAudience;
  if (settings === undefined) return null;
  if (settings.mailingAddress.trim() === "") return words.noAddress;
  return (draft.fromEmail ?? settings.fromEmail) === "" ? words.noSender : null;
}
