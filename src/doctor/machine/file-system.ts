import { SPARE_FOR_SERVER_MIB } from "#backups/room.ts";
import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";

/** As statfs(2) returns it. */
export type FileSystem = { readonly type: number; readonly bsize: number; readonly bavail: number };

/** The magic numbers of linux/magic.h. Other systems use other numbers and are not checked. */
const NETWORK: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x5346414f: "AFS",
  0x00c36400: "Ceph",
  0x0bd00bd0: "Lustre",
  0x01021997: "9P",
  0x786f4256: "a VirtualBox shared folder",
};
const PASSING: Readonly<Record<number, string>> = {
  0x01021994: "memory (tmpfs): it is gone at the next restart",
  0x794c7630: "a container's own layer (overlay): it is gone with the container",
};
const FUSE = 0x65735546;

/**
 * Whether SQLite can be used on this file system. On a network file system its locks and its shared memory do
 * not work, and the database is damaged sooner or later (sqlite.org/wal.html; docs/failure-catalogue.md
 * "D-45").
 */
export function checkFileSystem({ type }: FileSystem, platform: string): Finding {
  const check = about("local_disk");
  // statfs types are 32 bits wide; some are returned as negative numbers.
  const magic = type >>> 0;
  if (platform !== "linux") return ok(check, `not looked at on ${platform}`);
  const network = NETWORK[magic];
  if (network !== undefined)
    return fail(
      check,
      `the data directory is on ${network}`,
      "SQLite's locks do not hold there and the database will be damaged: move DATA_DIR to a local disk",
    );
  const passing = PASSING[magic];
  if (passing !== undefined)
    return warn(check, `the data directory is in ${passing}`, "put DATA_DIR on a disk or a volume");
  if (magic === FUSE)
    return warn(
      check,
      "the data directory is on a FUSE file system",
      "make sure it is no network disk (sshfs, s3fs, rclone): SQLite is damaged there",
    );
  return ok(check, "the data directory is on a local disk");
}

const MIB = 1024 ** 2;
const FREE_MIN = SPARE_FOR_SERVER_MIB * MIB;

/** A backup, and the copy made before an upgrade, each need as much space as the database. */
export function checkFreeSpace({ bsize, bavail }: FileSystem, databaseBytes: number): Finding {
  const check = about("free_space");
  const free = bsize * bavail;
  const message = `${sizeText(free)} free, the database has ${sizeText(databaseBytes)}`;
  if (free < FREE_MIN) return fail(check, message, "make room: a full disk stops all sending");
  if (free < FREE_MIN + 2 * databaseBytes)
    return warn(check, message, "make room for a backup: it needs the size of the database once more");
  return ok(check, message);
}

function sizeText(bytes: number): string {
  return bytes < 1024 * MIB ? `${Math.ceil(bytes / MIB)} MiB` : `${(bytes / MIB / 1024).toFixed(1)} GiB`;
}
