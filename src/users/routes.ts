import { Type } from "@sinclair/typebox";
import { nameTarget } from "#core/request/acting.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_USER_FIELDS, FOREIGN_USER_FILTERS } from "./foreign-names.ts";
import { parseRole } from "./role.ts";
import { newUserBody, newUserSchema, userChangeBody, userSchema, userWire } from "./schema.ts";
import type { UserService } from "./service.ts";
import { welcomeAddress } from "./welcome-link.ts";

/** /users (docs/contract.md "People and the console"; docs/decisions.md "People and sessions"). */
export function userRoutes(users: UserService, baseUrl: string): Route[] {
  return [...collection(users, baseUrl), ...single(users)];
}

const LAST_OWNER = "The workspace's last owner.";

const collection = (users: UserService, baseUrl: string): Route[] => [
  route({
    method: "GET",
    path: "/users",
    summary: "List people",
    description: "Those who may sign in to the workspace, newest first, also those who were only invited.",
    query: Type.Object(pageQuery),
    foreign: { query: FOREIGN_USER_FILTERS },
    answers: { 200: pageOf(userSchema) },
    handle: async (call) => call.page(await users.page(call.workspaceId, call.pageRequest()), userWire),
  }),
  route({
    method: "POST",
    path: "/users",
    summary: "Invite somebody",
    description: "Nothing is mailed: hand the link in the answer over yourself.",
    body: newUserBody,
    foreign: { body: FOREIGN_USER_FIELDS },
    answers: { 201: dataOf(newUserSchema) },
    errors: { CONFLICT: "The address is in the workspace already." },
    handle: async (call) => {
      const body = call.body();
      const email = unwrap(parseEmailAddress(body.email));
      const role = unwrap(parseRole(body.role));
      const { member, token } = await users.invite(call.workspaceId, email, role);
      return created({ ...userWire(member), link: welcomeAddress(baseUrl, token) });
    },
  }),
];

const single = (users: UserService): Route[] => [
  route({
    method: "GET",
    path: "/users/:id",
    summary: "Read a person",
    description: "As in the list.",
    answers: { 200: dataOf(userSchema) },
    handle: async (call) => ok(userWire(await users.find(call.workspaceId, call.params.id))),
  }),
  route({
    method: "PATCH",
    path: "/users/:id",
    summary: "Change a person's role",
    description: "It holds from their next request on.",
    body: userChangeBody,
    foreign: { body: FOREIGN_USER_FIELDS },
    answers: { 200: dataOf(userSchema) },
    errors: { CONFLICT: LAST_OWNER },
    handle: async (call) => {
      const { id } = call.params;
      const member = await users.find(call.workspaceId, id);
      const { role } = call.body();
      if (role === undefined) return ok(userWire(member));
      return ok(userWire(await users.changeRole(call.workspaceId, id, unwrap(parseRole(role)))));
    },
  }),
  route({
    method: "DELETE",
    path: "/users/:id",
    summary: "Remove a person",
    description:
      "They are out of the workspace from their next request on. Who was in no other is gone, with sessions and password.",
    answers: { 204: null },
    errors: { CONFLICT: LAST_OWNER },
    handle: async (call) => {
      const { id } = call.params;
      nameTarget((await users.find(call.workspaceId, id)).email);
      await users.remove(call.workspaceId, id);
      return noContent();
    },
  }),
];
