import { prefersHtml } from "#http/accept.ts";
import { answerPage } from "./form-page.ts";
import { PRIVATE_HEADERS } from "./page-headers.ts";

export type Refused = { readonly status: number; readonly error: string };

/**
 * Why a submission is not accepted, for the person who filled in the form (docs/contract.md "Forms": errors
 * are plain strings).
 */
export const refusals = {
  tooMany: {
    status: 429,
    error: "Too many sign-ups came from your network. Please try again in some minutes.",
  },
  noForm: { status: 404, error: "This form does not exist." },
  formGone: { status: 404, error: "This form does not exist." },
  foreignSite: { status: 403, error: "This form may not be used from this web site." },
  tooLarge: { status: 413, error: "That is more than this form takes." },
  tooSlow: { status: 408, error: "That took too long. Please try again." },
  bounced: { status: 400, error: "This email address cannot be re-subscribed." },
  domainBlocked: { status: 400, error: "Email addresses of this provider cannot be signed up here." },
} as const satisfies Readonly<Record<string, Refused>>;

export type Answers = {
  /** Whether the answer is a page: a browser posted the form directly. */
  readonly isPage: boolean;
  thanks(note: string | null): Response;
  refused(refusal: Refused, headers?: Readonly<Record<string, string>>): Response;
};

type SubmittedForm = {
  readonly workspaceName: string;
  /** The form's success message, for programs. */
  readonly message: string;
  /** The same, for people. */
  readonly thanks: string;
};

/**
 * The answers to one submission: a small page if a browser posted the form directly, otherwise JSON. Both
 * have the same status.
 */
export function answers(request: Request, form: SubmittedForm | null): Answers {
  const isPage = prefersHtml(request.headers.get("accept"));
  const workspaceName = form?.workspaceName ?? null;
  const { message, thanks } = form ?? { message: "", thanks: "" };
  return {
    isPage,
    thanks: (note) =>
      isPage
        ? answerPage({ status: 200, title: "Thank you", message: thanks, note, workspaceName })
        : Response.json({ ok: true, message }, { headers: PRIVATE_HEADERS }),
    refused({ status, error }, headers = {}) {
      if (!isPage) return Response.json({ error }, { status, headers: { ...PRIVATE_HEADERS, ...headers } });
      return answerPage({
        status,
        title: "Not signed up",
        message: error,
        note: BACK,
        workspaceName,
        headers,
      });
    },
  };
}

const BACK = "You have not been signed up. To try again, go back to the form.";
