/** What strangers can do with a form: open it, submit it, confirm. */
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import { sleep, type Clock } from "#core/time/clock.ts";
import type { NewId } from "#core/ids.ts";
import { Remembered } from "#core/remembered.ts";
import { readConfirmToken } from "#deliveries/token.ts";
import type { Log } from "#log.ts";
import { lookOf, type Look } from "#workspaces/look.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import type { Asker } from "#core/request/asker.ts";
import { capPeriod, sourceOf, type ConfirmationContent } from "./confirmation.ts";
import { formLanguage, type Form } from "#forms/form.ts";
import { judge, shownToken, type Judgement } from "./robot.ts";
import {
  confirmationState,
  planConfirmation,
  planSignup,
  type ConfirmationState,
  type SignupPlan,
} from "./signup-plan.ts";
import type { FormStore, Signup, SignupStore, StoredConfirmation } from "#forms/store.ts";
import { clientNetwork } from "#core/addresses/client-network.ts";
import { decideSubmission, RATE_WINDOW_MS, type Admission } from "./submit-rate.ts";
import type { SubmittedFields, Submission } from "./submission.ts";

/**
 * No answer about an address is faster than this. Otherwise the time needed to write would reveal which
 * addresses are known.
 */
const ANSWER_MIN_MS = 50;

const ORIGINS_REMEMBERED_MAX = 1_000;

type Parts = {
  readonly forms: Pick<FormStore, "findPublic">;
  readonly signups: SignupStore;
  readonly workspaces: Pick<WorkspaceService, "settings" | "revision">;
  /** Used to seal links and forms. */
  readonly secret: Uint8Array;
  /** Tells the sender that a confirmation is waiting. */
  readonly wakeSender: () => Promise<void>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
};

/** A form as its public pages need it. */
export type OpenForm = {
  readonly form: Form;
  readonly workspaceId: string;
  readonly settings: Settings;
  /** The look of the workspace's pages, in the form's language. */
  readonly look: Look;
};

/** A confirmation's link as its page shows it. `formId` is null if the form is gone. */
export type ConfirmationView = {
  /** The look of the workspace's pages, in the language of the form, if it still exists. */
  readonly look: Look;
  readonly address: string;
  readonly state: ConfirmationState;
  readonly formId: string | null;
};

type SignupOutcome = SignupPlan["kind"] | "formGone";

export type SignupService = ReturnType<typeof signupService>;

export function signupService(parts: Parts) {
  return { ...submissions(parts), ...confirmations(parts) };
}

function submissions(parts: Parts) {
  const { forms, signups, workspaces, secret, clock } = parts;
  const signUp = signingUp(parts);
  const countRobot = robotCounts(parts);
  /** Kept by form: a browser calls twice for each submission, once before it and once with it. */
  const origins = new Remembered<readonly string[]>(ORIGINS_REMEMBERED_MAX);

  return {
    /** The rate limit. It is checked before anything else (docs/decisions.md "Public pages"). */
    admit(clientAddress: string): Promise<Admission> {
      const now = clock.now();
      const period = { since: now - RATE_WINDOW_MS, now };
      return signups.admit(clientNetwork(clientAddress), period, (earlier) => decideSubmission(earlier, now));
    },

    /** Null: there is no such form. */
    async open(formId: string): Promise<OpenForm | null> {
      const found = await forms.findPublic(formId);
      if (found === null) return null;
      const settings = await workspaces.settings(found.workspaceId);
      return { ...found, settings, look: senderLook(found.form, settings) };
    },

    /** A form as its pages would show it, saved or not. */
    async shownAs(workspaceId: string, form: Form): Promise<OpenForm> {
      const settings = await workspaces.settings(workspaceId);
      return { form, workspaceId, settings, look: senderLook(form, settings) };
    },

    /** The origins whose pages may submit a form. An empty list allows any. */
    async allowedOrigins(formId: string): Promise<readonly string[]> {
      const revision = workspaces.revision();
      const remembered = origins.get(formId, revision);
      if (remembered) return remembered;
      const found = await forms.findPublic(formId);
      if (found === null) return [];
      const { allowedOrigins } = await workspaces.settings(found.workspaceId);
      return origins.add(formId, allowedOrigins, revision);
    },

    /** The sealed value for a form that is shown now. */
    shownToken: (form: Form): string => shownToken(secret, form, clock.now()),

    judge(form: Form, fields: SubmittedFields): Judgement {
      const judgement = judge(secret, form, fields, clock.now());
      if (judgement === "robot") countRobot(form.id);
      return judgement;
    },

    /** Durable when it resolves. It takes the same time for every address. */
    async submit(form: OpenForm, submission: Submission, asker: Asker): Promise<SignupOutcome> {
      const [outcome] = await Promise.all([signUp(form, submission, asker), sleep(clock, ANSWER_MIN_MS)]);
      return outcome;
    },
  };
}

const ROBOTS_TOLD_EVERY_MS = 60_000;

/**
 * Logs how many submissions of which forms were taken for robots, a minute after the first of them: who runs a
 * form must be able to see that somebody was thanked and not signed up. At most one line a minute.
 */
export function robotCounts({ clock, log }: Pick<Parts, "clock" | "log">): (formId: string) => void {
  const counts = new Map<string, number>();
  const tell = (): void => {
    const byForm = Object.fromEntries(counts);
    counts.clear();
    log.info("submissions taken for robots in the last minute: their hidden field was filled in", byForm);
  };
  return (formId) => {
    if (counts.size === 0) clock.setTimer(ROBOTS_TOLD_EVERY_MS, tell);
    counts.set(formId, (counts.get(formId) ?? 0) + 1);
  };
}

function signingUp({ signups, wakeSender, clock, newId, log }: Parts) {
  /** The answer does not wait for the mail. If this fails, the scheduler tries again. */
  const announce = (formId: string, hasSender: boolean): void => {
    if (hasSender)
      void wakeSender().catch((error: unknown) => log.error("the sender could not be woken", { error }));
    else log.warn("a sign-up cannot be confirmed: set `fromEmail` of the workspace", { form: formId });
  };

  return async (
    { form, settings, look }: OpenForm,
    submission: Submission,
    asker: Asker,
  ): Promise<SignupOutcome> => {
    const at = clock.now();
    const { doubleOptIn } = settings;
    const origin: ConsentOrigin = { source: "form", formId: form.id, ...asker };
    const content = contentOf(settings, look);
    const signup: Signup = {
      formId: form.id,
      email: submission.email,
      setsAttributes: Object.keys(submission.attributes).length > 0,
      fresh: { id: newId("ct"), createdAt: at },
      cap: capPeriod(at),
      letter: content && { sourceId: sourceOf(form.id, content), content },
      at,
    };
    const plan = await signups.submit(signup, (found) =>
      planSignup(found, { submission, doubleOptIn, origin, at }),
    );
    if (plan === null) return "formGone";
    if ("sendConfirmation" in plan && plan.sendConfirmation) announce(form.id, content !== null);
    return plan.kind;
  };
}

function confirmations({ forms, signups, workspaces, secret, clock, newId }: Parts) {
  const viewOf = async (stored: StoredConfirmation): Promise<ConfirmationView> => {
    const settings = await workspaces.settings(stored.workspaceId);
    const form = await forms.findPublic(stored.formId);
    const state = confirmationState(stored, clock.now());
    const look = form === null ? lookOf(settings) : senderLook(form.form, settings);
    return { look, address: stored.address, state, formId: form?.form.id ?? null };
  };

  return {
    /** What a confirmation's link refers to; changes nothing. Null: we did not make the token. */
    async confirmation(token: string): Promise<ConfirmationView | null> {
      const message = readConfirmToken(secret, token);
      const stored = message === null ? null : await signups.confirmation(message);
      return stored && viewOf(stored);
    },

    /** The button behind the link. Pressing it again changes and logs nothing. */
    async confirm(token: string, asker: Asker): Promise<ConfirmationView | null> {
      const message = readConfirmToken(secret, token);
      if (message === null) return null;
      const at = clock.now();
      const stored = await signups.confirm(
        message,
        (found) => planConfirmation(found, { source: "confirmation", formId: found.formId, ...asker }, at),
        { id: newId("ct"), createdAt: at },
      );
      return stored && viewOf(stored);
    },
  };
}

function contentOf(
  { fromName, fromEmail, replyTo }: Settings,
  { name, ...look }: Look,
): ConfirmationContent | null {
  if (fromEmail === "") return null;
  return {
    workspaceName: name,
    from: { name: fromName, address: fromEmail },
    replyTo: replyTo === "" ? null : replyTo,
    look,
  };
}

const senderLook = (form: Form, settings: Settings): Look => ({
  ...lookOf(settings),
  language: formLanguage(form, settings.language),
});
