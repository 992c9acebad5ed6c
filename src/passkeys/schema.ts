import { Type } from "@sinclair/typebox";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { exact, nullable, timestamp } from "#http/envelope.ts";
import type { Passkey } from "./passkey.ts";

/** The wire shapes of passkeys (docs/contract.md "People and the console"). */

const CREDENTIAL = "7Hq1nVJ0bX2mK5tR8wYzLg";

/** Bytes in base64url. */
const bytes = (description: string, example: string) => Type.String({ description, examples: [example] });

const challenge = bytes("What the passkey signs. Good once, for five minutes.", "kQ2vXw8mZ1cJ5tB7nR4yLg");
const timeout = Type.Integer({ description: "Milliseconds.", examples: [300_000] });
const only = (value: string) =>
  Type.String({ enum: [value], description: "Always this.", examples: [value] });

const keyType = only("public-key");
const host = Type.String({ description: "The host name in BASE_URL.", examples: ["mail.example.com"] });
const userVerification = only("required");

export const creationSchema = Type.Object(
  {
    challenge,
    rp: Type.Object(
      { id: host, name: Type.String({ description: "What the browser shows.", examples: ["Postrider"] }) },
      { ...exact, description: "Where the passkey will work." },
    ),
    user: Type.Object(
      {
        id: bytes("The person's id.", "dXNyXzAxa2FmYng5bTRjN2gycTV0OHczenI2bmRr"),
        name: Type.String({ description: "Their address.", examples: ["ada@example.com"] }),
        displayName: Type.String({ description: "The same.", examples: ["ada@example.com"] }),
      },
      { ...exact, description: "Whose it will be." },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object(
        { type: keyType, alg: Type.Integer({ description: "A COSE algorithm.", examples: [-7] }) },
        { ...exact, description: "A kind of signature." },
      ),
      { description: "Which signatures are understood." },
    ),
    timeout,
    excludeCredentials: Type.Array(
      Type.Object(
        { type: keyType, id: bytes("As its device names it.", CREDENTIAL) },
        { ...exact, description: "One." },
      ),
      { description: "The passkeys that the person has here already." },
    ),
    authenticatorSelection: Type.Object(
      {
        residentKey: only("required"),
        requireResidentKey: Type.Boolean({ description: "Always true.", examples: [true] }),
        userVerification,
      },
      { ...exact, description: "The device finds it by itself, and checks who holds it." },
    ),
    attestation: only("none"),
  },
  {
    ...exact,
    $id: "PasskeyCreation",
    description: "For `PublicKeyCredential.parseCreationOptionsFromJSON()`.",
  },
);

export const requestSchema = Type.Object(
  { challenge, rpId: host, timeout, userVerification },
  {
    ...exact,
    $id: "PasskeyRequest",
    description: "For `PublicKeyCredential.parseRequestOptionsFromJSON()`.",
  },
);

export const passkeySchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["pky_01kafc2d8m5h9t3w7q4z6rxnbv"] }),
    name: Type.String({ description: "What the person calls it.", examples: ["Ada's phone"] }),
    host: Type.String({
      description: "The only host name that it works at. Another than BASE_URL's: it opens nothing any more.",
      examples: ["mail.example.com"],
    }),
    createdAt: timestamp("When it was added."),
    lastUsedAt: nullable(timestamp("When it signed somebody in last; null: never.")),
  },
  { ...exact, $id: "Passkey", description: "Signs its person in without a password." },
);

export const passkeyListSchema = Type.Array(passkeySchema, { description: "All of them, newest first." });

export const proposalBody = Type.Object(
  { password: Type.String({ description: "The present password.", examples: ["four plain words here"] }) },
  { $id: "PasskeyProposal", description: "The present password: a session alone adds no way in." },
);

/** Of what the browser answers (WebAuthn, sections 5.1 and 5.2), the members that say something. */
const credentialId = bytes("As its device names it.", CREDENTIAL);

const clientDataJSON = bytes("What the browser says of the page.", "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0");

const authenticatorData = bytes("What the device says of itself.", "SZYN5YgOjGh0NBcPZHZgW4");

export const passkeyBody = Type.Object(
  {
    name: Type.String({ description: "What the person calls it.", examples: ["Ada's phone"] }),
    credential: Type.Object(
      {
        id: credentialId,
        response: Type.Object(
          {
            clientDataJSON,
            attestationObject: bytes(
              "The new passkey, as its device describes it.",
              "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ",
            ),
          },
          { description: "What the device answered." },
        ),
      },
      { description: "What `navigator.credentials.create()` gave, as its `toJSON()` writes it." },
    ),
  },
  { $id: "PasskeyAdd", description: "A passkey that the browser has made." },
);

export const passkeyUseBody = Type.Object(
  {
    credential: Type.Object(
      {
        id: credentialId,
        response: Type.Object(
          {
            clientDataJSON,
            authenticatorData,
            signature: bytes("Of both.", "MEUCIQDx3nY7"),
            userHandle: bytes("Whose it is.", "dXNyXzAxa2FmYng5bTRjN2gycTV0OHczenI2bmRr"),
          },
          { description: "What the device answered." },
        ),
      },
      { description: "What `navigator.credentials.get()` gave, as its `toJSON()` writes it." },
    ),
    stay: Type.Optional(
      Type.Boolean({
        description: "Stay signed in for 30 days, also when the browser was closed. Left out: no.",
        examples: [true],
      }),
    ),
  },
  { $id: "PasskeyUse", description: "Who signs in, as their passkey proves it." },
);

export const passkeyWire = ({ id, name, host: at, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  host: at,
  createdAt: isoOf(createdAt),
  lastUsedAt: isoOrNull(lastUsedAt),
});
