import { Type } from "@sinclair/typebox";
import { FOREIGN_FILTERS } from "#contacts/foreign-names.ts";
import { parseContactFilter } from "#contacts/contact-filter.ts";
import { parsePageInclude } from "#contacts/include.ts";
import { pageWire } from "#contacts/page-wire.ts";
import { contactFilters, contactSchema, contactWireIn, pageInclude } from "#contacts/schema.ts";
import type { ContactService } from "#contacts/service.ts";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_PREVIEW_FIELDS, FOREIGN_SEGMENT_FIELDS } from "./foreign-names.ts";
import {
  newSegmentBody,
  previewBody,
  previewSchema,
  segmentChangeBody,
  segmentCountSchema,
  segmentSchema,
  segmentUsersSchema,
  segmentWire,
} from "./schema.ts";
import { parseNewSegment, parseRules, parseSegmentChange } from "./segment-input.ts";
import type { SegmentService } from "./service.ts";

const NAMES_NOTHING_KNOWN = "The rules name a list, segment or campaign that is not of this workspace.";

export const segmentRoutes = (segments: SegmentService, contacts: ContactService): Route[] => [
  ...records(segments),
  ...questions(segments, contacts),
];

const records = (segments: SegmentService): Route[] => [
  route({
    method: "GET",
    path: "/segments",
    summary: "List the segments",
    description: "Newest first.",
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(segmentSchema) },
    handle: async (call) => call.page(await segments.page(call.workspaceId, call.pageRequest()), segmentWire),
  }),
  route({
    method: "POST",
    path: "/segments",
    summary: "Create a segment",
    description: "Its contacts are not stored: they are looked up each time.",
    body: newSegmentBody,
    foreign: { body: FOREIGN_SEGMENT_FIELDS },
    answers: { 201: dataOf(segmentSchema) },
    errors: { NOT_FOUND: NAMES_NOTHING_KNOWN },
    handle: async (call) =>
      created(segmentWire(await segments.create(call.workspaceId, unwrap(parseNewSegment(call.body()))))),
  }),
  route({
    method: "GET",
    path: "/segments/:id",
    summary: "Read a segment",
    description: "With its rules, as they were sent.",
    answers: { 200: dataOf(segmentSchema) },
    handle: async (call) => ok(segmentWire(await segments.find(call.workspaceId, call.params.id))),
  }),
  route({
    method: "PATCH",
    path: "/segments/:id",
    summary: "Change a segment",
    description: "Rules must not lead back to the segment itself.",
    body: segmentChangeBody,
    foreign: { body: FOREIGN_SEGMENT_FIELDS },
    answers: { 200: dataOf(segmentSchema) },
    errors: { NOT_FOUND: `No such segment in this workspace. Or: ${NAMES_NOTHING_KNOWN}` },
    handle: async (call) => {
      const id = call.params.id;
      await segments.find(call.workspaceId, id);
      const change = unwrap(parseSegmentChange(call.body()));
      return ok(segmentWire(await segments.change(call.workspaceId, id, change)));
    },
  }),
  route({
    method: "DELETE",
    path: "/segments/:id",
    summary: "Delete a segment",
    description: "Its contacts stay.",
    answers: { 204: null },
    errors: { CONFLICT: "Another segment uses it; the message names that one." },
    handle: async (call) => {
      await segments.delete(call.workspaceId, call.params.id);
      return noContent();
    },
  }),
];

const questions = (segments: SegmentService, contacts: ContactService): Route[] => [
  route({
    method: "GET",
    path: "/segments/:id/contacts",
    summary: "The contacts in a segment",
    description: "The contacts that are in it now, newest first. They must also match all filters.",
    query: Type.Object({ ...pageQuery, ...contactFilters, ...pageInclude }),
    foreign: { query: FOREIGN_FILTERS },
    answers: { 200: pageOf(contactSchema) },
    handle: async (call) => {
      const segment = await segments.find(call.workspaceId, call.params.id);
      const filter = unwrap(parseContactFilter(call.query));
      const asked = unwrap(parsePageInclude(call.query));
      const page = await segments.contacts(call.workspaceId, segment, filter, call.pageRequest());
      return call.page(page, await pageWire(contacts, call.workspaceId, asked, page.items));
    },
  }),
  route({
    method: "GET",
    path: "/segments/:id/count",
    summary: "How many are in a segment",
    description: "All of them, and those who are SUBSCRIBED.",
    answers: { 200: dataOf(segmentCountSchema) },
    errors: {
      VALIDATION_ERROR:
        "With the segments that they name, its rules are too long for one question to PostgreSQL.",
    },
    handle: async (call) => {
      const segment = await segments.find(call.workspaceId, call.params.id);
      return ok(await segments.count(call.workspaceId, segment));
    },
  }),
  route({
    method: "GET",
    path: "/segments/:id/uses",
    summary: "What uses a segment",
    description:
      "Other segments, and campaigns that are not SENT: while there are any, it cannot be deleted.",
    answers: { 200: dataOf(segmentUsersSchema) },
    handle: async (call) => ok(await segments.uses(call.workspaceId, call.params.id)),
  }),
  route({
    method: "POST",
    path: "/segments/preview",
    operationId: "showSegmentPreview",
    summary: "Try rules without saving them",
    description: "How many they hold for, and the newest ten of them.",
    body: previewBody,
    foreign: { body: FOREIGN_PREVIEW_FIELDS },
    answers: { 200: dataOf(previewSchema) },
    errors: { NOT_FOUND: NAMES_NOTHING_KNOWN },
    handle: async (call) => {
      const { total, subscribed, sample } = await segments.preview(
        call.workspaceId,
        unwrap(parseRules(call.body())),
      );
      return ok({ total, subscribed, sample: sample.map(contactWireIn(false)) });
    },
  }),
];
