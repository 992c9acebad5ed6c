import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { noContent, ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_SIGN_IN_FIELDS } from "./foreign-names.ts";
import {
  COOKIE_SET,
  hereSchema,
  RATE_LIMITED,
  sessionListSchema,
  sessionWire,
  signInBody,
} from "./schema.ts";
import type { SessionService } from "./service.ts";
import { askingPage, endedCookie, sessionCookie, sessionToken } from "./session.ts";

/** /session and /sessions (docs/contract.md "People and the console"; docs/decisions.md "People and sessions"). */
export function sessionRoutes(sessions: SessionService, baseUrl: string): Route[] {
  return [signIn(sessions, baseUrl), ...present(sessions, baseUrl), ...all(sessions)];
}

const signIn = (sessions: SessionService, baseUrl: string): Route =>
  route({
    method: "POST",
    path: "/session",
    operationId: "createSession",
    access: "nobody",
    summary: "Sign in",
    description:
      "Answers with a cookie for browsers. Programs use API keys. The answer is the same for a wrong password and for an unknown address.",
    body: signInBody,
    foreign: { body: FOREIGN_SIGN_IN_FIELDS },
    answers: { 200: dataOf(hereSchema) },
    answerHeaders: COOKIE_SET,
    errors: {
      UNAUTHORIZED: "The address or the password is wrong.",
      CODE_REQUIRED: "The password is right, but `code` is missing, wrong or was used.",
      RATE_LIMITED,
    },
    handle: async (call) => {
      const body = call.body();
      const proof = {
        email: unwrap(parseEmailAddress(body.email)),
        password: body.password,
        code: body.code ?? null,
        clientAddress: call.clientAddress,
      };
      const { stay = false } = body;
      const { here, token } = await sessions.signIn({
        ...proof,
        stay,
        cookies: call.request.headers.get("cookie"),
      });
      const page = askingPage(call.request, baseUrl);
      return { ...ok(here), headers: { "Set-Cookie": sessionCookie(token, stay, page) } };
    },
  });

const present = (sessions: SessionService, baseUrl: string): Route[] => [
  route({
    method: "GET",
    path: "/session",
    operationId: "getSession",
    access: "person",
    summary: "Who is signed in",
    description: "And the workspaces that they may enter.",
    answers: { 200: dataOf(hereSchema) },
    handle: async (call) =>
      ok(await sessions.whoIs(call.person.email, sessionToken(call.request.headers.get("cookie")))),
  }),
  route({
    method: "DELETE",
    path: "/session",
    operationId: "deleteSession",
    access: "person",
    summary: "Sign out",
    description: "Ends the session that asks.",
    answers: { 204: null },
    handle: async (call) => {
      await sessions.end(call.person.userId, call.person.sessionId);
      return { ...noContent(), headers: { "Set-Cookie": endedCookie(askingPage(call.request, baseUrl)) } };
    },
  }),
];

const all = (sessions: SessionService): Route[] => [
  route({
    method: "GET",
    path: "/sessions",
    access: "person",
    summary: "Where somebody is signed in",
    description: "The person's own sessions, newest first, without pages.",
    answers: { 200: dataOf(sessionListSchema) },
    handle: async (call) => {
      const { userId, sessionId } = call.person;
      return ok((await sessions.list(userId)).map(sessionWire(sessionId)));
    },
  }),
  route({
    method: "DELETE",
    path: "/sessions/:id",
    operationId: "removeSession",
    access: "person",
    summary: "Sign out elsewhere",
    description: "Ends one of the person's own sessions.",
    answers: { 204: null },
    handle: async (call) => {
      await sessions.end(call.person.userId, call.params.id);
      return noContent();
    },
  }),
];
