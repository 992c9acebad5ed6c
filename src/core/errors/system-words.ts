/** What the system's refusals mean, by their code (errno, POSIX.1-2024 "Error Numbers"). */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "this user may not use it",
  EPERM: "this user may not use it",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
  EIO: "its disk reports an error",
  EDQUOT: "this user has no room left on its disk",
  ENOTDIR: "a part of its name is a file, not a directory",
  EISDIR: "it is a directory, not a file",
  ENOENT: "there is no such file or directory",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "this process has too many files open",
  EXDEV: "it is on another disk, or was mounted by itself",
  EBUSY: "it is in use, as a file is that was mounted by itself",
  ENFILE: "this machine has too many files open",
};

/** What to do about EROFS. Nobody needs to have made the disk so. */
export const READ_ONLY_ADVICE =
  "mount it so that it can be written, or use another; after an error of the disk, the system makes it read-only by itself, and its log says so";

/** Bun's `rm` names every error that it does not know so, also that of a disk (EIO). A path is never at a bad address. */
const UNNAMED = "EFAULT";

const OF_TARGET = ["ENOSPC", "EDQUOT", "EROFS"];

/**
 * An error of the file system in plain words: the path, and why. Null for every other error, and for one whose
 * message is our own.
 */
export function systemWords(error: Error): string | null {
  const { code, path: from, dest, syscall } = error as NodeJS.ErrnoException & { readonly dest?: string };
  // The disk that is full is that of the copy.
  const path = code !== undefined && OF_TARGET.includes(code) ? (dest ?? from) : from;
  if (code === undefined || path === undefined || !error.message.startsWith(`${code}: `)) return null;
  if (code === "EEXIST")
    return `${path}: ${syscall === "mkdir" ? "it is a file or a link to nothing, not a directory" : "it is there already"}`;
  if (code === UNNAMED && syscall === "rm")
    return `${path}: it cannot be removed, and its disk may be failing`;
  const meaning = MEANINGS[code];
  return meaning === undefined ? null : `${path}: ${meaning}`;
}
