import { and, asc, desc, eq, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Media } from "#media/media.ts";
import type { MediaStore } from "#media/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { media, mediaSlices } from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";

const SHOWN = {
  id: media.id,
  name: media.name,
  type: media.type,
  bytes: media.bytes,
  width: media.width,
  height: media.height,
  token: media.token,
  createdAt: media.createdAt,
};

/** How much is sent in one turn of the event loop. */
const SLICE_BYTES = 256 * 1024;

export function mediaStore({ read, write, seqOf }: PostgresDatabase): MediaStore {
  return {
    insert: inserting({ write, seqOf }),

    async page(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const mine = eq(media.workspace, workspace);
      const [rows, total] = await read((session) =>
        Promise.all([
          session.orm
            .select({ seq: media.seq, made: SHOWN })
            .from(media)
            .where(before === null ? mine : and(mine, lt(media.seq, before)))
            .orderBy(desc(media.seq))
            .limit(limit + 1),
          recordCount(session, workspace, "media"),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ made }) => made });
    },

    async delete(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const remove = "DELETE FROM media WHERE workspace = $1 AND id = $2";
      return (await write((tx) => tx.run(remove, [workspace, id]))) > 0;
    },

    async findPublic(token) {
      const itself = eq(media.token, token);
      const [found] = await read(({ orm }) =>
        orm
          .select({ ...SHOWN, number: media.seq })
          .from(media)
          .where(itself),
      );
      return found ?? null;
    },

    async content(number) {
      const found = await read(({ orm }) =>
        orm
          .select({ content: mediaSlices.content })
          .from(mediaSlices)
          .where(eq(mediaSlices.media, number))
          .orderBy(asc(mediaSlices.number)),
      );
      return found.length === 0 ? null : found.map(({ content }) => content);
    },
  };
}

/** Writes the whole file, or nothing if the workspace already has it. */
function inserting({ write, seqOf }: Pick<PostgresDatabase, "write" | "seqOf">): MediaStore["insert"] {
  return async (workspaceId, made, content) => {
    const workspace = await seqOf(workspaceId);
    return await write(async ({ orm }): Promise<Media> => {
      const [row] = await orm
        .insert(media)
        .values({ ...made, workspace })
        .onConflictDoNothing({ target: media.token })
        .returning({ seq: media.seq });
      if (row === undefined) {
        const [known] = await orm.select(SHOWN).from(media).where(eq(media.token, made.token));
        // If it was deleted meanwhile, the answer is still the file that was made.
        return known ?? made;
      }
      for (let at = 0, number = 0; at < content.length; at += SLICE_BYTES, number++) {
        const slice = content.subarray(at, at + SLICE_BYTES);
        await orm.insert(mediaSlices).values({ media: row.seq, number, content: slice });
      }
      const [kept] = await orm.select(SHOWN).from(media).where(eq(media.seq, row.seq));
      return present(kept, "media that was just written");
    });
  };
}
