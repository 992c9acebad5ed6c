/** A passkey made of software, with its own signatures. It can also do what no honest device does. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { Person } from "./signed-in.ts";

/** How a device deviates from the standard. */
export type Lies = {
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly userHandle?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  /** Signs with another private key, or shows another public one. */
  readonly key?: KeyObject;
};

export type Authenticator = ReturnType<typeof authenticator>;

/** One for this site. It counts its signatures from 1. */
export function authenticator({ host, origin }: { readonly host: string; readonly origin: string }) {
  const { privateKey, publicKey } = newKey();
  const credential = randomBytes(32);
  const id = credential.toString("base64url");
  let signed = 0;
  let owner = "";

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );

  /** Authenticator data (WebAuthn, section 6.1), with the new key at its end where one was made. */
  const said = ({ isVerified = true, isPresent = true, counter, ...lies }: Lies, made: Buffer | null) => {
    const flags = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | (made === null ? 0 : 0x40);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(counter ?? ++signed, 1);
    return Buffer.concat([sha256(lies.host ?? host), rest, made ?? Buffer.alloc(0)]);
  };

  return {
    id,

    /** Makes the passkey, as `navigator.credentials.create()` answers. */
    create(options: { challenge: string; user: { id: string } }, lies: Lies = {}) {
      owner = options.user.id;
      const length = Buffer.from([0, credential.length]);
      const key = coseKey(lies.key ?? publicKey);
      const data = said(lies, Buffer.concat([Buffer.alloc(16), length, credential, key]));
      return {
        id,
        response: {
          clientDataJSON: clientData("webauthn.create", options.challenge, lies).toString("base64url"),
          attestationObject: attestation(data).toString("base64url"),
        },
      };
    },

    /** Signs, as `navigator.credentials.get()` answers. */
    get({ challenge }: { challenge: string }, lies: Lies = {}) {
      const client = clientData("webauthn.get", challenge, lies);
      const data = said(lies, null);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), lies.key ?? privateKey);
      return {
        id,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: lies.userHandle ?? owner,
        },
      };
    },
  };
}

/** Without anything that the maker attests (WebAuthn, section 8.7). */
const attestation = (data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    text("fmt"),
    text("none"),
    text("attStmt"),
    Buffer.from([0xa0]),
    text("authData"),
    bytes(data),
  ]);

/** In CBOR (RFC 9052, section 7). */
function coseKey(key: KeyObject): Buffer {
  const { x, y, n, e } = key.export({ format: "jwk" });
  const of = (base64url = ""): Buffer => bytes(Buffer.from(base64url, "base64url"));
  // 1: 2 (elliptic curve), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y
  if (key.asymmetricKeyType === "ec")
    return Buffer.concat([Buffer.from("a501020326200121", "hex"), of(x), Buffer.from([0x22]), of(y)]);
  // 1: 3 (RSA), 3: -257 (RS256), -1: n, -2: e
  return Buffer.concat([Buffer.from("a401030339010020", "hex"), of(n), Buffer.from([0x21]), of(e)]);
}

const text = (letters: string): Buffer => Buffer.from([0x60 | letters.length, ...Buffer.from(letters)]);

const bytes = (data: Buffer): Buffer => {
  const head = Buffer.from([0x59, 0, 0]);
  head.writeUInt16BE(data.length, 1);
  return Buffer.concat([head, data]);
};

/** Adds a passkey of a new device to the account of somebody who is signed in; returns its id. */
export async function passkeyOf({ call, password }: Person): Promise<string> {
  const { data: options } = (await call("POST", "/session/passkeys/options", { password })).body;
  const device = authenticator({ host: options.rp.id, origin: `https://${options.rp.id}` });
  const made = { name: "Phone", credential: device.create(options) };
  return (await call("POST", "/session/passkeys", made)).body.data.id;
}

export const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
