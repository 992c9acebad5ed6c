import {
  FILES_IN_FOLDER_MAX,
  SAME_ROLE_FOLDERS,
  AREA_USES,
  FEATURE_USES,
  MAIL_OUTSIDE,
  MAY_CLIMB,
  OUTSIDE_FILES,
  PACKAGE_OWNERS,
  ROLES,
  ROLE_USES,
  ROLE_USES_AREAS,
  RULES_NEVER_IMPORT,
  type Role,
} from "./architecture-plan.ts";
import { type ImportStatement, type SourceFile, importsOf } from "./source-scan.ts";

/** A broken rule, and where: one line that a person can act on. */
export type Violation = { readonly rule: string; readonly file: string; readonly detail: string };

/** Where a file stands in the plan. */
type Place = { readonly area: string; readonly feature?: string; readonly role?: Role };

/** The longest first: `public-routes` ends with `routes`. */
const BY_LENGTH = ROLES.toSorted((a, b) => b.length - a.length);

/** In every room of a feature: `run/store` is a store, and so is `plan-store`. */
const roleAtEnd = (name: string): Role | undefined =>
  BY_LENGTH.find((role) => name === role || name.endsWith(`/${role}`) || name.endsWith(`-${role}`));

function placeOf(path: string): Place | undefined {
  const [, first = "", ...rest] = path.replace(/(?:\.d)?\.ts$/, "").split("/");
  if (!(first in FEATURE_USES)) return first in AREA_USES ? { area: first } : undefined;
  const name = rest.join("/");
  return {
    area: "feature",
    feature: first,
    role: OUTSIDE_FILES[path] ?? roleAtEnd(name) ?? "rule",
  };
}

/** The file of src/ a specifier names; undefined for a package. */
function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return `src/${specifier.slice(1)}`;
  if (!specifier.startsWith("./") && !specifier.startsWith("../")) return undefined;
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

const isPureMail = (path: string): boolean =>
  path.startsWith("src/mail/") && !MAIL_OUTSIDE.some((name) => path === `src/mail/${name}.ts`);

function mayImport(from: Place, to: Place, target: string): boolean {
  if (from.feature !== undefined && from.role !== undefined) {
    if (to.feature === undefined || to.role === undefined)
      return isAllowed(ROLE_USES_AREAS[from.role], to.area, target);
    const known = to.feature === from.feature || FEATURE_USES[from.feature]?.includes(to.feature) === true;
    return known && ROLE_USES[from.role].includes(to.role);
  }
  return isAllowed(
    AREA_USES[from.area] ?? [],
    to.role === undefined ? to.area : `feature:${to.role}`,
    target,
  );
}

const isAllowed = (allowed: readonly string[], area: string, target: string): boolean =>
  allowed.includes(area) || (allowed.includes("pure mail") && isPureMail(target));

/**
 * A rule may import the type of a body from the schema that checks it. Types do not exist when a rule runs,
 * so it stays pure.
 */
const takesTypesOfItsSchema = (from: Place, to: Place, clause: string): boolean =>
  from.role === "rule" &&
  to.role === "schema" &&
  from.feature === to.feature &&
  clause.startsWith("import type ");

/** A store may stand beside its rules (`PlanStore` in `plan.ts`). Whoever may use no store may not use that one. */
const takesAStore = ({ role }: Place, clause: string): boolean =>
  role !== undefined && !ROLE_USES[role].includes("store") && /\b[A-Z]\w*Store\b/.test(clause);

function checkEdge(file: SourceFile, from: Place, statement: ImportStatement): Violation[] {
  const { specifier, clause } = statement;
  const broken = (rule: string, detail: string): Violation[] => [{ rule, file: file.path, detail }];
  if (specifier.split("/").includes("..")) {
    return MAY_CLIMB.includes(file.path)
      ? []
      : broken("climbing", `imports ${specifier}: write #folder/file.ts`);
  }
  const target = targetOf(file.path, specifier);
  if (target === undefined) return checkPackage(file, from, specifier);
  const to = placeOf(target);
  if (to === undefined) return broken("plan", `imports ${specifier}, which the plan does not name`);
  if (takesTypesOfItsSchema(from, to, clause)) return [];
  if (!mayImport(from, to, target)) return broken("direction", `may not import ${specifier}`);
  if (takesAStore(from, clause))
    return broken("direction", `may not use a store, which ${specifier} declares`);
  const passedIn = from.role === "rule" && /\b(?:Clock|systemClock|sleep|Random|systemRandom)\b/.test(clause);
  return passedIn && to.area === "core"
    ? broken("rule purity", `takes a clock or chance from ${specifier}: take the value`)
    : [];
}

function checkPackage(file: SourceFile, from: Place, specifier: string): Violation[] {
  const detail = `may not import ${specifier}`;
  const owned = Object.entries(PACKAGE_OWNERS).find(
    ([name]) => specifier === name || specifier.startsWith(`${name}/`),
  );
  const isOwner = owned?.[1].some(
    (owner) =>
      owner === file.path ||
      owner === `role:${from.role}` ||
      (owner.endsWith("/") && file.path.startsWith(owner)),
  );
  if (isOwner === false) return [{ rule: "package owner", file: file.path, detail }];
  if (from.role !== "rule" || !RULES_NEVER_IMPORT.test(specifier)) return [];
  return [{ rule: "rule purity", file: file.path, detail }];
}

/** Holds the import directions, the package owners and the purity of rules over the files of src/. */
export function checkImports(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const from = placeOf(file.path);
    if (file.path.endsWith(".d.ts")) return [];
    if (from === undefined)
      return [{ rule: "plan", file: file.path, detail: "lies in a place the plan does not name" }];
    return importsOf(file.source).flatMap((statement) => checkEdge(file, from, statement));
  });
}

/** Files that the plan lists by hand, and need not, or that are not there. */
export function checkListed(paths: readonly string[], listed = OUTSIDE_FILES): Violation[] {
  return Object.entries(listed).flatMap(([file, role]) => {
    if (!paths.includes(file)) return [{ rule: "plan", file, detail: "is listed, and not there" }];
    return roleAtEnd(file.replace(/\.ts$/, "")) === role
      ? [{ rule: "plan", file, detail: "is listed, and its name says the same" }]
      : [];
  });
}

/** Finds a way from `from` back to itself; `uses` says where each step leads. */
function findCycle(from: string, uses: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const walk = (at: string, path: string[]): string[] | undefined => {
    for (const next of uses.get(at) ?? []) {
      if (next === from) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...path, next]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(from, [from]);
}

/**
 * Every cycle of a graph once, each written from its alphabetically first member. Type-only imports count.
 */
export function checkCycles(uses: ReadonlyMap<string, readonly string[]>): Violation[] {
  const inCycle = new Set<string>();
  return [...uses.keys()].toSorted().flatMap((from) => {
    const cycle = inCycle.has(from) ? undefined : findCycle(from, uses);
    for (const member of cycle ?? []) inCycle.add(member);
    return cycle ? [{ rule: "cycle", file: from, detail: cycle.join(" -> ") }] : [];
  });
}

/** File to the files of the project it imports. */
export function importGraph(files: readonly SourceFile[]): Map<string, string[]> {
  return new Map(
    files.map(({ path, source }) => [
      path,
      importsOf(source).flatMap(({ specifier }) => targetOf(path, specifier) ?? []),
    ]),
  );
}

/** Folders with too many files, and exceptions that are none any more. Subfolders are counted by themselves. */
export function checkSizes(paths: readonly string[]): Violation[] {
  const files = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf("/")));
  const isLarge = (folder: string): boolean => (files.get(folder)?.length ?? 0) > FILES_IN_FOLDER_MAX;
  const crowded = [...files.keys()].filter(
    (folder) => isLarge(folder) && !Object.hasOwn(SAME_ROLE_FOLDERS, folder),
  );
  const stale = Object.keys(SAME_ROLE_FOLDERS).filter((folder) => !isLarge(folder));
  return [
    ...crowded.map((folder) => ({
      rule: "size",
      file: folder,
      detail: `has ${files.get(folder)?.length} files: more than ${FILES_IN_FOLDER_MAX} are several rooms`,
    })),
    ...stale.map((folder) => ({ rule: "size", file: folder, detail: "is not large: it needs no exception" })),
  ];
}
