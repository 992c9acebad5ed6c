const MIB = 1024 ** 2;

/** Left free where the server writes: meanwhile its log grows, and on a full disk nothing is sent. As `doctor` wants it. */
const SPARE_FOR_SERVER_MIB = 100;
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

/** Thrown before anything is copied. */
export class NoRoomError extends Error {
  readonly lack: Lack;

  constructor(lack: Lack, directory: string) {
    const { copyMib, spareMib, freeMib } = lack;
    super(
      `there is no room for a backup in ${directory}: it needs ${copyMib + spareMib} MiB (${copyMib} for the copy, ${spareMib} to spare), and ${freeMib} MiB are free`,
    );
    this.lack = lack;
  }
}
