/** A file was changed, moved or deleted after it was chosen: browsers do not read it any more. */
export class FileChanged extends Error {
  override readonly name = "FileChanged";
}

let says = "";

/** Sets how it is said from now on. */
export function fileChangedIsSaid(sentence: string): void {
  says = sentence;
}

/**
 * Does something with a file that somebody chose, such as sending it. To the browser a request whose file it cannot read
 * has failed like one without a network; so the file itself is asked, before and after a failure.
 * @throws FileChanged; and what `work` throws
 */
export async function withFile<Done>(file: Blob, work: () => Promise<Done>): Promise<Done> {
  await readOne(file);
  try {
    return await work();
  } catch (error) {
    await readOne(file);
    throw error;
  }
}

/** One byte of it is enough: the browser compares the file with what was chosen whenever it reads some of it. */
async function readOne(file: Blob): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause: unknown): never => {
      throw new FileChanged(says, { cause });
    });
}

/**
 * For the input of a file. Without it, nothing happens when the same file is chosen again, for instance because it was
 * changed.
 */
export const CHOOSES_ANEW = {
  onClick: ({ currentTarget }: { readonly currentTarget: { value: string } }): void => {
    currentTarget.value = "";
  },
};
