import { dataOf } from "#http/envelope.ts";
import { created, noContent, route, type Route } from "#http/routes/route.ts";
import type { AccountService } from "./account-service.ts";
import {
  FOREIGN_CODE_FIELDS,
  FOREIGN_PASSWORD_FIELDS,
  FOREIGN_PRESENT_PASSWORD_FIELDS,
  FOREIGN_WELCOME_FIELDS,
} from "./foreign-names.ts";
import {
  codeBody,
  COOKIE_SET,
  RATE_LIMITED,
  hereSchema,
  passwordBody,
  presentPasswordBody,
  totpSchema,
  welcomeBody,
} from "./schema.ts";
import { askingPage, sessionCookie } from "./session.ts";
import type { WelcomeService } from "./welcome-service.ts";

/**
 * /password, /session/totp and /welcome (docs/contract.md "People and the console"; docs/decisions.md "People and
 * sessions").
 */
export function accountRoutes(accounts: AccountService, welcomes: WelcomeService, baseUrl: string): Route[] {
  return [password(accounts), ...totp(accounts), welcome(welcomes, baseUrl)];
}

const CHANGED = "The account was changed by another request meanwhile.";
const errors = { CONFLICT: CHANGED, RATE_LIMITED };

const password = (accounts: AccountService): Route =>
  route({
    method: "POST",
    path: "/password",
    operationId: "updatePassword",
    access: "person",
    summary: "Change one's password",
    description: "Ends the person's other sessions. A wrong `current` counts as a failed sign-in.",
    body: passwordBody,
    foreign: { body: FOREIGN_PASSWORD_FIELDS },
    answers: { 204: null },
    errors,
    handle: async (call) => {
      await accounts.changePassword(call.person, call.body(), call.clientAddress);
      return noContent();
    },
  });

const totp = (accounts: AccountService): Route[] => [
  route({
    method: "POST",
    path: "/session/totp",
    operationId: "createTotpSecret",
    access: "person",
    summary: "Get a secret for an authenticator app",
    description: "Nothing changes until a code of it was confirmed. Another call makes another secret.",
    body: presentPasswordBody,
    foreign: { body: FOREIGN_PRESENT_PASSWORD_FIELDS },
    answers: { 201: dataOf(totpSchema) },
    errors: { RATE_LIMITED },
    handle: async (call) =>
      created(await accounts.proposeTotp(call.person, call.body().password, call.clientAddress)),
  }),
  route({
    method: "POST",
    path: "/session/totp/confirm",
    operationId: "confirmTotp",
    access: "person",
    summary: "Ask for codes from now on",
    description: "With a code that the app shows. If somebody loses the app, their account must be reset.",
    body: codeBody,
    foreign: { body: FOREIGN_CODE_FIELDS },
    answers: { 204: null },
    errors: { CONFLICT: CHANGED, WRONG_STATE: "There is no secret to confirm." },
    handle: async (call) => {
      await accounts.confirmTotp(call.person, call.body().code);
      return noContent();
    },
  }),
  route({
    method: "POST",
    path: "/session/totp/remove",
    operationId: "removeTotp",
    access: "person",
    summary: "Ask for no codes any more",
    description: "Not an error if no codes are used.",
    body: presentPasswordBody,
    foreign: { body: FOREIGN_PRESENT_PASSWORD_FIELDS },
    answers: { 204: null },
    errors: { RATE_LIMITED },
    handle: async (call) => {
      await accounts.removeTotp(call.person, call.body().password, call.clientAddress);
      return noContent();
    },
  }),
];

const welcome = (welcomes: WelcomeService, baseUrl: string): Route =>
  route({
    method: "POST",
    path: "/welcome",
    operationId: "openWelcome",
    access: "nobody",
    summary: "Come in by a one-time link",
    description:
      "The link of the first start, of an invitation, or of a reset. Chooses the password and signs in, as `POST /session` does.",
    body: welcomeBody,
    foreign: { body: FOREIGN_WELCOME_FIELDS },
    answers: { 201: dataOf(hereSchema) },
    answerHeaders: COOKIE_SET,
    errors: {
      NOT_FOUND: "The link is unknown, was used or is too old.",
      UNAUTHORIZED: "The person has an account, and this is not its password.",
      CODE_REQUIRED: "The account asks for a code, and `code` is missing, wrong or was used.",
      RATE_LIMITED,
    },
    handle: async (call) => {
      const { code = null, email = null, ...body } = call.body();
      const { clientAddress } = call;
      const cookies = call.request.headers.get("cookie");
      const { here, token } = await welcomes.welcome({ ...body, code, email, clientAddress, cookies });
      const page = askingPage(call.request, baseUrl);
      return { ...created(here), headers: { "Set-Cookie": sessionCookie(token, false, page) } };
    },
  });
