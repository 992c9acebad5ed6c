import { unwrap } from "#core/errors/errors.ts";
import { parseNameLine } from "#core/text/name-text.ts";
import { dataOf } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { COOKIE_SET, hereSchema, RATE_LIMITED } from "#sessions/schema.ts";
import { askingPage, sessionCookie } from "#sessions/session.ts";
import {
  FOREIGN_PASSKEY_FIELDS,
  FOREIGN_PASSKEY_USE_FIELDS,
  FOREIGN_PROPOSAL_FIELDS,
} from "./foreign-names.ts";
import {
  creationSchema,
  passkeyBody,
  passkeyListSchema,
  passkeySchema,
  passkeyUseBody,
  passkeyWire,
  proposalBody,
  requestSchema,
} from "./schema.ts";
import type { PasskeyService } from "./service.ts";
import { siteOf } from "./site.ts";

/**
 * /session/passkeys and /session/passkey (docs/contract.md "People and the console"; docs/decisions.md "People and
 * sessions").
 */
export const passkeyRoutes = (passkeys: PasskeyService, baseUrl: string): Route[] => [
  ...own(passkeys, baseUrl),
  ...signIn(passkeys, baseUrl),
];

const WRONG_STATE = "BASE_URL is no address that browsers make passkeys for.";

const own = (passkeys: PasskeyService, baseUrl: string): Route[] => [
  route({
    method: "GET",
    path: "/session/passkeys",
    access: "person",
    summary: "One's passkeys",
    description: "The person's own, newest first, without pages.",
    answers: { 200: dataOf(passkeyListSchema) },
    handle: async (call) => ok((await passkeys.list(call.person.userId)).map(passkeyWire)),
  }),
  route({
    method: "POST",
    path: "/session/passkeys/options",
    operationId: "getPasskeyOptions",
    access: "person",
    summary: "Begin to add a passkey",
    description: "Answers what the browser makes it from. Nothing changes until the passkey was sent.",
    body: proposalBody,
    foreign: { body: FOREIGN_PROPOSAL_FIELDS },
    answers: { 200: dataOf(creationSchema) },
    errors: { CONFLICT: "The person has too many passkeys.", RATE_LIMITED, WRONG_STATE },
    handle: async (call) => {
      const site = unwrap(siteOf(baseUrl));
      return ok(await passkeys.propose(call.person, site, call.body().password, call.clientAddress));
    },
  }),
  route({
    method: "POST",
    path: "/session/passkeys",
    operationId: "addPasskey",
    access: "person",
    summary: "Add a passkey",
    description: "That the browser made from the options, in the same session and within five minutes.",
    body: passkeyBody,
    foreign: { body: FOREIGN_PASSKEY_FIELDS },
    answers: { 201: dataOf(passkeySchema) },
    errors: { CONFLICT: "The passkey is in use already, or the person has too many.", WRONG_STATE },
    handle: async (call) => {
      const site = unwrap(siteOf(baseUrl));
      const { name, credential } = call.body();
      const line = unwrap(parseNameLine("name", name, "Passkey"));
      return created(passkeyWire(await passkeys.add(call.person, site, line, credential.response)));
    },
  }),
  route({
    method: "DELETE",
    path: "/session/passkeys/:id",
    operationId: "removePasskey",
    access: "person",
    summary: "Remove a passkey",
    description: "Nobody can sign in with it any more. Sessions that were opened with it continue.",
    answers: { 204: null },
    handle: async (call) => {
      await passkeys.remove(call.person.userId, call.params.id);
      return noContent();
    },
  }),
];

const signIn = (passkeys: PasskeyService, baseUrl: string): Route[] => [
  route({
    method: "POST",
    path: "/session/passkey/options",
    operationId: "getPasskeyChallenge",
    access: "nobody",
    summary: "Begin to sign in with a passkey",
    description: "Answers what the browser needs to find a passkey. It is the same for everybody.",
    answers: { 200: dataOf(requestSchema) },
    errors: { WRONG_STATE },
    handle: async () => ok(passkeys.ask(unwrap(siteOf(baseUrl)))),
  }),
  route({
    method: "POST",
    path: "/session/passkey",
    operationId: "createSessionByPasskey",
    access: "nobody",
    summary: "Sign in with a passkey",
    description:
      "Answers as `POST /session` does, and asks for no code: the passkey has checked who holds it. One that is unknown, that was answered too late or twice, or that is not right, answers alike.",
    body: passkeyUseBody,
    foreign: { body: FOREIGN_PASSKEY_USE_FIELDS },
    answers: { 200: dataOf(hereSchema) },
    answerHeaders: COOKIE_SET,
    errors: { UNAUTHORIZED: "The passkey was not accepted.", RATE_LIMITED, WRONG_STATE },
    handle: async (call) => {
      const site = unwrap(siteOf(baseUrl));
      const { credential, stay = false } = call.body();
      const use = {
        ...credential,
        stay,
        cookies: call.request.headers.get("cookie"),
        clientAddress: call.clientAddress,
      };
      const { here, token } = await passkeys.signIn(use, site);
      const page = askingPage(call.request, baseUrl);
      return { ...ok(here), headers: { "Set-Cookie": sessionCookie(token, stay, page) } };
    },
  }),
];
