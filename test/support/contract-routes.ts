/** The routes that the contract's tables and prose name, read from its text. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const CONTRACT = resolve(import.meta.dir, "../../../shared/contract/api.md");

/** The contract's text; null, loudly, where it is not there: what needs it is then skipped. */
export function readContract(): string | null {
  if (existsSync(CONTRACT)) return readFileSync(CONTRACT, "utf8");
  console.warn(`No contract at ${CONTRACT}: the tests against its route table are skipped.`);
  return null;
}

/** `GET /api/v1/contacts/{id}`, from the Endpoints tables and, for sending and keys, from their sentences. Sorted. */
export function contractRoutes(contract: string): string[] {
  const endpoints = /^## Endpoints$(.*?)^## /ms.exec(contract)![1]!;
  const rows = endpoints.matchAll(/^\| (GET|POST|PATCH|DELETE) \| `([^`]+)`/gm);
  const sentences = endpoints.matchAll(/`(GET|POST|PATCH|DELETE) (\/(?:send|keys)[^`]*)`/g);
  const routes = [...rows, ...sentences].map(([, method, path]) => `${method} ${fullPath(path!)}`);
  return [...new Set(routes)].toSorted();
}

const fullPath = (path: string): string =>
  path.startsWith("{base_host}") ? path.slice("{base_host}".length) : `/api/v1${path}`;
