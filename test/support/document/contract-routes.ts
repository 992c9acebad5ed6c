/** The routes that the contract's tables and prose name, read from its text. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const CONTRACT = resolve(import.meta.dir, "../../../docs/contract.md");

/**
 * The contract's routes, sorted, as `GET /api/v1/contacts/{id}`. Read from the tables of "Routes", and for
 * sending and keys from their sentences.
 */
export function contractRoutes(): string[] {
  const section = /^## Routes$(.*?)^## /ms.exec(readFileSync(CONTRACT, "utf8"))![1]!;
  const rows = section.matchAll(/^\| (GET|POST|PATCH|DELETE) \| `([^`]+)`/gm);
  const sentences = section.matchAll(/`(GET|POST|PATCH|DELETE) (\/(?:send|keys)[^`]*)`/g);
  const routes = [...rows, ...sentences].map(([, method, path]) => `${method} ${fullPath(path!)}`);
  return [...new Set(routes)].toSorted();
}

const fullPath = (path: string): string =>
  path.startsWith("{base_host}") ? path.slice("{base_host}".length) : `/api/v1${path}`;
