import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { ok, route } from "#http/routes/route.ts";
import { publicRoute } from "#http/routes/public-route.ts";

// The compiler is what is tested: each line after `@ts-expect-error` must be refused, or `tsc` fails.

const body = Type.Object({ name: Type.Optional(Type.String()), tags: Type.Array(Type.String()) });
const query = Type.Object({ q: Type.Optional(Type.String()) });

test("a handler knows its path, its query and its body, and nothing beside them", () => {
  const typed = route({
    method: "POST",
    path: "/lists/:id/contacts/:contactId",
    summary: "A route",
    query,
    body,
    answers: { 200: null },
    async handle(call) {
      const { name, tags } = call.body();
      const parameters: string[] = [call.params.id, call.params.contactId, ...tags];
      const mayBeMissing: (string | undefined)[] = [name, call.query.q];
      // @ts-expect-error there is no such parameter in the path
      void call.params.listId;
      // @ts-expect-error nor in the query
      void call.query.status;
      // @ts-expect-error nor is there such a member
      void call.body().email;
      // @ts-expect-error `name` may be left out
      void name.length;
      return ok([parameters, mayBeMissing]);
    },
  });
  expect(typed).toMatchObject({ method: "POST", path: "/lists/:id/contacts/:contactId", body, query });
});

test("a route without parameters, a query or a body has none", () => {
  const typed = route({
    method: "GET",
    path: "/lists",
    summary: "A route",
    answers: { 200: null },
    async handle(call) {
      // @ts-expect-error there is no parameter in the path
      void call.params.id;
      // @ts-expect-error no query is documented
      void call.query.q;
      return ok(null);
    },
  });
  expect(typed).not.toContainAnyKeys(["body", "query"]);
});

test("a page knows the parameters of its path", () => {
  const typed = publicRoute({
    method: "GET",
    path: "/c/:token/:number",
    async handle({ params }) {
      // @ts-expect-error there is no such parameter
      void params.id;
      return new Response(params.token + params.number);
    },
  });
  expect(typed.path).toBe("/c/:token/:number");
});
