import { Type, type TSchema } from "@sinclair/typebox";
import { exact } from "#http/envelope.ts";
import { htmlPage, type PublicAnswer, type PublicOperation } from "#http/routes/public-route.ts";

/** How the API's document shows the public side of forms. */

const params = Type.Object({
  id: Type.String({ description: "The form's id.", examples: ["form_01kafd8m3x5r9j2wt7c4q6hzyb"] }),
});

const submission = Type.Object(
  {
    email: Type.String({ description: "Trimmed and lowercased.", examples: ["ada@example.com"] }),
    firstName: Type.Optional(
      Type.String({ description: "Empty or left out: stays as it is.", examples: ["Ada"] }),
    ),
    lastName: Type.Optional(
      Type.String({ description: "Empty or left out: stays as it is.", examples: ["Lovelace"] }),
    ),
  },
  {
    $id: "FormSubmission",
    description:
      "Who signs up. A field that the form names as an attribute is stored, as a string of at most 1,000 characters; other fields are passed over.",
  },
);

const thanks = Type.Object(
  {
    ok: Type.Literal(true, { description: "Always true.", examples: [true] }),
    message: Type.String({
      description: "The form's success message.",
      examples: ["Thanks! You're subscribed."],
    }),
  },
  { ...exact, $id: "FormSubmitted", description: "The same whether or not the address was known." },
);

const page: TSchema = Type.String({
  description: "A small page, where `Accept` prefers HTML.",
  examples: ["<!doctype html>…"],
});

const formError = Type.Object(
  {
    error: Type.String({
      description: "What to do, for the person at the form.",
      examples: ["This email address cannot be re-subscribed."],
    }),
  },
  { ...exact, $id: "FormError", description: "Why not." },
);

const refused = (description: string, example: string, headers?: PublicAnswer["headers"]): PublicAnswer => ({
  description,
  content: {
    "application/json": { ...formError, examples: [{ error: example }] },
    "text/html": page,
  },
  ...(headers ? { headers } : {}),
});

export const submitOperation: PublicOperation = {
  operationId: "submitForm",
  tag: "forms",
  summary: "Sign up through a form",
  description:
    "Public, from any site (or those the workspace allows), at most five times in ten minutes from one network. The submitter joins the form's list; with double opt-in they get a confirmation mail first.",
  params,
  headers: Type.Object({
    Origin: Type.Optional(
      Type.String({
        description:
          "The web site the form stands on, which browsers send by themselves. Where the workspace names `allowedOrigins`, another one is refused.",
        examples: ["https://shop.example.com"],
      }),
    ),
  }),
  body: {
    "application/json": submission,
    "application/x-www-form-urlencoded": submission,
    "multipart/form-data": submission,
  },
  answers: {
    200: { description: "Taken.", content: { "application/json": thanks, "text/html": page } },
    400: refused(
      "The address is missing, not valid, of a blocked domain, or bounced before.",
      "This email address cannot be re-subscribed.",
    ),
    403: refused(
      "The workspace does not allow this web site.",
      "This form may not be used from this web site.",
    ),
    404: refused("There is no such form.", "This form does not exist."),
    408: refused("The body came too slowly.", "That took too long. Please try again."),
    413: refused("More than 256 KB.", "That is more than this form takes."),
    429: refused(
      "More than five submissions in ten minutes.",
      "Too many sign-ups came from your network. Please try again in some minutes.",
      Type.Object({
        "Retry-After": Type.String({
          description: "Seconds until the next one is taken.",
          examples: ["240"],
        }),
      }),
    ),
    500: refused("The service failed; its log says why.", "That did not work. Please try again."),
    503: refused(
      "The database was locked for too long.",
      "That did not work. Please try again.",
      Type.Object({
        "Retry-After": Type.String({ description: "Seconds until it may be tried again.", examples: ["10"] }),
      }),
    ),
  },
};

export const hostedOperation: PublicOperation = {
  operationId: "showForm",
  tag: "forms",
  summary: "See the hosted form",
  description: "A page to link to, in the form's style; it needs no script.",
  params,
  answers: { 200: htmlPage("The form."), 404: htmlPage("There is no such form.") },
};

export const embedOperation: PublicOperation = {
  operationId: "getFormScript",
  tag: "forms",
  summary: "Load the script that embeds the form",
  description: "For a script element in a page of yours: the form appears where it stands.",
  params,
  answers: {
    200: {
      description: "The script.",
      content: {
        "text/javascript": Type.String({
          description: "Plain JavaScript.",
          examples: ["(function (c) {…})({…});"],
        }),
      },
    },
    404: { description: "There is no such form." },
  },
};

const token = Type.Object({
  token: Type.String({
    description: "Made for one confirmation mail; cannot be guessed.",
    examples: ["AAAAAAAAAAEAAAAAAAAAAg3q2-7wq0bK"],
  }),
});
const broken = htmlPage("The token is not one of ours. The page is the same for every reason.");
const over = htmlPage(
  "The link is used or older than seven days, or the person was taken off since. Nothing changes.",
);

export const confirmPageOperation: PublicOperation = {
  operationId: "showConfirmation",
  tag: "forms",
  summary: "See the link of a confirmation mail",
  description: "A page with one button. It changes nothing, because mail scanners follow links.",
  params: token,
  answers: {
    200: htmlPage("The page with the button, or that they are subscribed already."),
    404: broken,
    410: over,
  },
};

export const confirmOperation: PublicOperation = {
  operationId: "confirmSubscription",
  tag: "forms",
  summary: "Confirm a sign-up",
  description:
    "The page's button: a PENDING contact becomes SUBSCRIBED, and so does somebody who had opted out by themselves and signed up again. Pressing it again changes nothing.",
  params: token,
  answers: { 200: htmlPage("Subscribed."), 404: broken, 410: over },
};
