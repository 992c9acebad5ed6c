import type { Instant } from "#core/clock.ts";
import type { Result } from "#core/errors.ts";
import type { Page, PageRequest } from "#core/page.ts";
import type { ConfirmationContent } from "./confirmation.ts";
import type { Form } from "./form.ts";
import type { FormContent } from "./form-input.ts";
import type { ConfirmationPlan, FoundConfirmation, FoundSignup, SignupPlan } from "./signup-plan.ts";
import type { Admission } from "./submit-rate.ts";

/** Sign-up forms. Every method is one transaction; the rules it takes are pure and synchronous. */
export type FormStore = {
  /** Null, and nothing written, where its list is none of the workspace's. */
  insert(
    workspaceId: string,
    form: FormContent & { readonly id: string; readonly createdAt: Instant },
  ): Promise<Form | null>;
  find(workspaceId: string, id: string): Promise<Form | null>;
  /** A form of any workspace: for its public pages. */
  findPublic(id: string): Promise<PublicForm | null>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<Form>>;
  /** Writes what `decide` answers; `updatedAt` moves only where something changed. Null: no such form. */
  change(workspaceId: string, id: string, decide: DecideForm, at: Instant): Promise<Result<Form> | null>;
  /** Lets the confirmation mails go that a restored copy had queued. */
  release(workspaceId: string, id: string): Promise<"released" | "not held" | "not found">;
  /** False: no such form. Links of its confirmation mails go on working. */
  delete(workspaceId: string, id: string): Promise<boolean>;
};

type PublicForm = { readonly form: Form; readonly workspaceId: string };

type DecideForm = (current: FormContent, listExists: (listId: string) => boolean) => Result<FormContent>;

/** What forms bring about. Every method is one transaction; the rules it takes are pure and synchronous. */
export type SignupStore = {
  /** Counts a submission of `client` at `now` where `decide` admits it; `earlier` are its instants after `since`, oldest first. */
  admit(
    client: string,
    period: { since: Instant; now: Instant },
    decide: (earlier: readonly Instant[]) => Admission,
  ): Promise<Admission>;

  /**
   * Carries out what `plan` makes of the address: the contact, its consent entry, its place on the form's list, and the
   * confirmation mail's row in the ledger. Null: the form is gone.
   */
  submit(signup: Signup, plan: (found: FoundSignup) => SignupPlan): Promise<SignupPlan | null>;

  /** The letter of a mailing of kind `confirmation`. */
  letterContent(mailing: number): Promise<ConfirmationContent>;

  /** The confirmation mail a link belongs to. Null: there is none. */
  confirmation(message: number): Promise<StoredConfirmation | null>;
  /**
   * Carries out what `plan` answers and marks the link as used; null from it writes nothing. `fresh` is what the row of
   * somebody gets who has none. Null: no such confirmation.
   */
  confirm(message: number, plan: PlanConfirm, fresh: FreshContact): Promise<StoredConfirmation | null>;
};

export type Signup = {
  readonly formId: string;
  /** In its stored form. */
  readonly email: string;
  readonly fresh: FreshContact;
  /** Confirmations since then count against the caps. */
  readonly capSince: Instant;
  /** Null: the workspace has nobody to send as, so no confirmation is written. */
  readonly letter: { readonly sourceId: string; readonly content: ConfirmationContent } | null;
  readonly at: Instant;
};

/** What a new contact's row gets. */
type FreshContact = { readonly id: string; readonly createdAt: Instant };

type PlanConfirm = (found: StoredConfirmation) => ConfirmationPlan | null;

export type StoredConfirmation = FoundConfirmation & {
  readonly workspaceId: string;
  readonly formId: string;
};
