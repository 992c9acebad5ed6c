import { expect, test } from "bun:test";
import { checkPostgres } from "#doctor/machine/postgres-server.ts";

const SERVER = {
  version: "18.1",
  versionNumber: 180_001,
  encoding: "UTF8",
  hasTrigrams: true,
  hidesTrigrams: false,
  isStandby: false,
  isReadOnly: false,
  mayMakeTables: true,
  hasSettings: true,
  fsync: true,
  fullPageWrites: true,
  standbys: "",
  replicas: 1,
  isEncrypted: true,
  isPooled: false,
};
const LOOKED = { server: SERVER, pending: [], host: "localhost", prepare: true, trustsFailover: false };

test("the doctor says of standbys what a fail-over would do to sends", () => {
  const replicas = (looked: Partial<typeof LOOKED>) => {
    const found = checkPostgres({ ...LOOKED, ...looked }).find(({ id }) => id === "replicas");
    return `${found?.result}: ${found?.message}`;
  };
  const synchronous = { ...SERVER, standbys: "ANY 1 (a, b)" };
  expect(replicas({})).toBe(
    "warn: 1 connected, none of them synchronous: one that takes over lacks the last commits, and sends are held then",
  );
  expect(replicas({ trustsFailover: true })).toBe(
    "warn: DATABASE_FAILOVER=trusted has no effect: commits wait for no standby, so sends are held after one took over",
  );
  for (const trustsFailover of [true, false])
    expect(replicas({ server: synchronous, trustsFailover })).toBe(
      "ok: 1 connected, synchronous: ANY 1 (a, b)",
    );
  expect(replicas({ server: { ...SERVER, replicas: 0 } })).toBe("ok: none is connected");
});
