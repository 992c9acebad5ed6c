import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { ConfirmationContent } from "#forms/signup/confirmation.ts";
import type { Form } from "./form.ts";
import type { FormContent } from "./form-input.ts";
import type { FormFigures } from "./form-figures.ts";
import type {
  ConfirmationPlan,
  FoundConfirmation,
  FoundSignup,
  SignupPlan,
} from "#forms/signup/signup-plan.ts";
import type { Admission } from "#forms/signup/submit-rate.ts";

/** Sign-up forms. Every method is one transaction; the rules it takes are pure and synchronous. */
export type FormStore = {
  /** Null, and nothing written, if its list does not belong to the workspace. */
  insert(
    workspaceId: string,
    form: FormContent & { readonly id: string; readonly createdAt: Instant },
  ): Promise<Form | null>;
  find(workspaceId: string, id: string): Promise<Form | null>;
  /** A form of any workspace: for its public pages. */
  findPublic(id: string): Promise<PublicForm | null>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<Form>>;
  /**
   * Loads the form, and which of these lists the workspace has; writes what `decide` returns. `updatedAt`
   * changes only if something changed. Null: no such form.
   */
  change(
    workspaceId: string,
    id: string,
    listIds: readonly string[],
    decide: DecideForm,
    at: Instant,
  ): Promise<Result<Form> | null>;
  /** What became of its submissions. Null: no such form. */
  figures(workspaceId: string, id: string): Promise<FormFigures | null>;
  /** Releases the confirmation mails that were queued in a restored copy. */
  release(workspaceId: string, id: string): Promise<"released" | "not held" | "not found">;
  /** False: no such form. The links of its confirmation mails stay valid. */
  delete(workspaceId: string, id: string): Promise<boolean>;
};

type PublicForm = { readonly form: Form; readonly workspaceId: string };

type DecideForm = (current: FormContent, knownLists: ReadonlySet<string>) => Result<FormContent>;

/**
 * What people do with forms: submissions and confirmations. Every method is one transaction; the rules it
 * takes are pure and synchronous.
 */
export type SignupStore = {
  /**
   * Records a submission of `client` at `now` if `decide` admits it. `earlier` holds the client's instants
   * after `since`, oldest first.
   */
  admit(
    client: string,
    period: { since: Instant; now: Instant },
    decide: (earlier: readonly Instant[]) => Admission,
  ): Promise<Admission>;

  /**
   * Writes what `plan` returns for the address: the contact, its consent entry, its place on the form's list,
   * and the confirmation mail's row in the ledger. Null: the form is gone.
   */
  submit(signup: Signup, plan: (found: FoundSignup) => SignupPlan): Promise<SignupPlan | null>;

  /** The letter of a mailing of kind `confirmation`. */
  letterContent(mailing: number): Promise<ConfirmationContent>;

  /** The confirmation mail that a link belongs to. Null: there is none. */
  confirmation(message: number): Promise<StoredConfirmation | null>;
  /**
   * Writes what `plan` returns and marks the link as used; if `plan` returns null, writes nothing. `fresh`
   * holds the values for a new contact row. Null: no such confirmation.
   */
  confirm(message: number, plan: PlanConfirm, fresh: FreshContact): Promise<StoredConfirmation | null>;
};

export type Signup = {
  readonly formId: string;
  /** In stored form. */
  readonly email: string;
  /** Whether `plan` looks at `attributeHolders`: they are looked up only then. */
  readonly setsAttributes: boolean;
  readonly fresh: FreshContact;
  /** Confirmations of this period count towards the caps (`capPeriod`). */
  readonly cap: { readonly since: Instant; readonly until: Instant };
  /** Null: the workspace has no sender, so no confirmation is written. */
  readonly letter: { readonly sourceId: string; readonly content: ConfirmationContent } | null;
  readonly at: Instant;
};

/** The values for a new contact row. */
type FreshContact = { readonly id: string; readonly createdAt: Instant };

type PlanConfirm = (found: StoredConfirmation) => ConfirmationPlan | null;

export type StoredConfirmation = FoundConfirmation & {
  readonly workspaceId: string;
  readonly formId: string;
};
