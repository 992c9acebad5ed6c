import { notFound } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Work } from "#work/pool.ts";
import type { BounceStore } from "./store.ts";
import { unreadNumberOf, type ShownUnreadMail, type UnreadMailEntry } from "./unread.ts";

export type UnreadMailService = ReturnType<typeof unreadMailService>;

/** Mails that could not be read, for a person to look at. */
export function unreadMailService(parts: {
  readonly bounces: Pick<BounceStore, "unread" | "unreadPage" | "findUnread" | "readUnread" | "removeUnread">;
  readonly work: Pick<Work, "run">;
}) {
  const { bounces, work } = parts;

  return {
    page: (workspaceId: string, request: PageRequest): Promise<Page<UnreadMailEntry>> =>
      bounces.unreadPage(workspaceId, request),

    /** @throws AppError NOT_FOUND */
    async show(workspaceId: string, id: string): Promise<ShownUnreadMail> {
      const number = unreadNumberOf(id);
      const found = number === null ? null : await bounces.findUnread(workspaceId, number);
      if (found === null) throw notFound(`The bounce ${id}`);
      const { raw, ...entry } = found;
      const read = await work.run(workspaceId, "mailText", raw);
      return { ...entry, text: read.ok ? read.value : "", source: new TextDecoder().decode(raw) };
    },

    /** @throws AppError NOT_FOUND */
    async remove(workspaceId: string, id: string): Promise<void> {
      const number = unreadNumberOf(id);
      if (number === null || !(await bounces.removeUnread(number, workspaceId)))
        throw notFound(`The bounce ${id}`);
    },

    /** For the command line, by number: all mails, or those of one workspace. */
    list: (workspaceId: string | null): Promise<UnreadMailEntry[]> => bounces.unread(workspaceId),
    source: (number: number): Promise<Uint8Array | null> => bounces.readUnread(number),
    removeNumber: (number: number): Promise<boolean> => bounces.removeUnread(number, null),
  };
}
