/**
 * The files that wait to be imported, if several servers share the data. A file is received in a directory of this
 * machine, and kept where every server finds it. So any can import it, even if the one that received it is gone.
 */
import type { Clock } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { Bytes } from "./file-reading.ts";
import type { ImportFiles } from "./import-files.ts";
import type { WaitingFiles } from "./store.ts";

/**
 * Read and written in one turn of the event loop. The first slice that is shorter is the end of a file. So a slice that
 * is missing is never taken for it, and this length cannot change while a file waits.
 */
const PIECE_BYTES = 256 * 1024;
/** A file without a written import may belong to another server. */
const FORGOTTEN_AFTER_MS = DAY_MS;

/** @param local receives files on this machine */
export function sharedImportFiles(
  waiting: WaitingFiles,
  local: ImportFiles,
  clock: Pick<Clock, "now">,
): ImportFiles {
  const keep = async (id: string, bytes: Bytes): Promise<void> => {
    let number = 0;
    for await (const piece of piecesOf(bytes())) await waiting.add(id, number++, piece, clock.now());
  };

  async function* kept(id: string): AsyncGenerator<Buffer> {
    for (let number = 0; ; number++) {
      const piece = await waiting.piece(id, number);
      if (piece === null) throw number === 0 ? gone("the file", "ENOENT") : gone("its rest", "ENODATA");
      if (piece.length > 0) yield Buffer.from(piece);
      if (piece.length < PIECE_BYTES) return;
    }
  }

  return {
    bytesOf: (id) => () => kept(id),

    async receive(id) {
      const incoming = await local.receive(id);
      return {
        bytes: incoming.bytes,
        write: incoming.write,
        async keep() {
          await keep(id, incoming.bytes);
          await incoming.discard();
        },
        handOver: incoming.handOver,
        async discard() {
          await incoming.discard();
          await waiting.remove(id);
        },
      };
    },

    remove: waiting.remove,

    async sweep(running) {
      await local.sweep(async () => new Set());
      await waiting.sweep(await running(), clock.now() - FORGOTTEN_AFTER_MS);
    },
  };
}

const gone = (what: string, code: string): Error => Object.assign(new Error(`${what} is gone`), { code });

/** The same bytes in pieces of equal length, except the last, which is shorter: if need be, empty. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const piece of bytes) {
    rest = Buffer.concat([rest, piece]);
    for (; rest.length >= PIECE_BYTES; rest = rest.subarray(PIECE_BYTES)) yield rest.subarray(0, PIECE_BYTES);
  }
  yield rest;
}
