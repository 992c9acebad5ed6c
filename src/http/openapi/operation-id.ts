import type { TSchema } from "@sinclair/typebox";
import type { Method, Route } from "#http/routes/route.ts";
import { capitalized, singular } from "./path.ts";

const VERBS: Readonly<Partial<Record<Method, string>>> = { GET: "get", PATCH: "update", DELETE: "delete" };

/**
 * A name for generated clients, verb and noun: `listContacts`, `createContact`, `getContactScore`. A route
 * with another verb (`sendCampaign`) gives its own name.
 * @throws Error for a POST that creates nothing and has no name
 */
export function operationIdOf({ method, path, answers, operationId }: Route): string {
  if (operationId !== undefined) return operationId;
  const creates = method === "POST" && 201 in answers;
  const verb = creates ? "create" : isList(answers[200]) ? "list" : VERBS[method];
  if (verb === undefined) throw new Error(`${method} ${path} needs an operationId`);
  return verb + nounsOf(path, creates);
}

function nounsOf(path: string, creates: boolean): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  const nouns = segments.flatMap((segment, index) => {
    if (segment.startsWith(":")) return [];
    const ofOne = segments[index + 1]?.startsWith(":") || (creates && index === segments.length - 1);
    return [capitalized(ofOne ? singular(segment) : segment)];
  });
  return nouns.join("");
}

function isList(answer: TSchema | null | undefined): boolean {
  const { data } = (answer?.["properties"] ?? {}) as Record<string, TSchema | undefined>;
  return data?.["type"] === "array";
}
