const MIB = 1024 ** 2;

/** Left free where the server writes: its log grows meanwhile, and on a full disk nothing is sent. */
export const SPARE_FOR_SERVER_MIB = 100;
/** Elsewhere: for the directory, and for a copy that is a little larger than its pages. */
const SPARE_MIB = 1;

export type Room = {
  /** At most so large is the copy. */
  readonly copyBytes: number;
  readonly freeBytes: number;
  /** Whether the server's database is on the same disk. */
  readonly isServersDisk: boolean;
};

/** Why a copy does not fit, in whole MiB. */
export type Lack = { readonly copyMib: number; readonly spareMib: number; readonly freeMib: number };

/** Null: it fits. */
export function lackOfRoom({ copyBytes, freeBytes, isServersDisk }: Room): Lack | null {
  const spareMib = isServersDisk ? SPARE_FOR_SERVER_MIB : SPARE_MIB;
  const lack = { copyMib: Math.ceil(copyBytes / MIB), spareMib, freeMib: Math.floor(freeBytes / MIB) };
  return lack.copyMib + spareMib > lack.freeMib ? lack : null;
}

/** What the copy is, and what to do where it does not fit. */
const COPIES = {
  backup: ["a backup", "make room, or name a file on another disk"],
  beforeUpgrade: [
    "the copy that is made before an upgrade",
    "nothing was changed; make room, and start again",
  ],
  restored: ["the restored database", "nothing was changed; make room, and restore again"],
} as const;

/** Thrown before anything is copied. */
export class NoRoomError extends Error {
  constructor(
    readonly lack: Lack,
    directory: string,
    copy: keyof typeof COPIES,
  ) {
    const { copyMib, spareMib, freeMib } = lack;
    const [what, advice] = COPIES[copy];
    super(
      `there is no room for ${what} in ${directory}: it needs ${copyMib + spareMib} MiB (${copyMib} for the copy, ${spareMib} to spare), and ${freeMib} MiB are free: ${advice}`,
    );
  }
}
