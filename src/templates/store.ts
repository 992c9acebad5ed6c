import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Template, TemplateContent, TemplateEntry } from "./template.ts";

/** Templates. Every method is one transaction; the rules it takes are pure and synchronous. */
export type TemplateStore = {
  /** `check` is told how many templates the workspace has. */
  insert(
    workspaceId: string,
    template: Omit<Template, "updatedAt">,
    check: (count: number) => Result<null>,
  ): Promise<Result<Template>>;
  find(workspaceId: string, id: string): Promise<Template | null>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<TemplateEntry>>;
  /** Writes what `decide` returns. `updatedAt` changes only if something changed. Null: no such template. */
  change(
    workspaceId: string,
    id: string,
    decide: (current: TemplateContent) => TemplateContent,
    at: Instant,
  ): Promise<Template | null>;
  /** False: no such template. */
  delete(workspaceId: string, id: string): Promise<boolean>;
};
