import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, ruled, timestamp } from "#http/envelope.ts";
import { ROLES } from "#users/role.ts";
import type { Session } from "./session.ts";

/** The wire shapes of sessions and accounts (docs/contract.md "People and the console"). */

const EMAIL = "ada@example.com";
const PASSWORD = "four plain words here";

const enteredSchema = Type.Object(
  {
    id: Type.String({
      description: "Send it as `X-Workspace`.",
      examples: ["ws_01kafbw4t8c2j6r9fz3m5hxqde"],
    }),
    name: Type.String({ description: "What it is called.", examples: ["The Daily Rider"] }),
    role: Type.String({ enum: [...ROLES], description: "What they may do in it.", examples: ["owner"] }),
  },
  { ...exact, $id: "EnteredWorkspace", description: "A workspace that the person may enter." },
);

export const hereSchema = Type.Object(
  {
    user: Type.Object(
      {
        id: Type.String({ description: "Opaque.", examples: ["usr_01kafbx9m4c7h2q5t8w3zr6ndk"] }),
        email: Type.String({ description: "What they sign in with.", examples: [EMAIL] }),
        totp: Type.Boolean({
          description: "Whether signing in asks for a code of their authenticator app.",
          examples: [false],
        }),
      },
      { ...exact, $id: "Account", description: "Who is signed in." },
    ),
    workspaces: Type.Array(enteredSchema, { description: "In the order in which they were joined." }),
  },
  { ...exact, $id: "SignedIn", description: "Who is signed in, and where they may go." },
);

const sessionSchema = Type.Object(
  {
    id: Type.String({
      description: "Opaque; not what the cookie holds.",
      examples: ["ses_01kafby3r7d2k6m9q4v8wz5thn"],
    }),
    createdAt: timestamp("When they signed in."),
    lastSeenAt: timestamp("When it was used last, to the minute."),
    current: Type.Boolean({ description: "Whether it is the one that asks.", examples: [true] }),
  },
  { ...exact, $id: "Session", description: "A browser in which the person is signed in." },
);

const code = Type.String({
  description: "Six digits of the authenticator app, where the account asks for them.",
  examples: ["492039"],
});

const password = (description: string) => Type.String({ description, examples: [PASSWORD] });

export const signInBody = Type.Object(
  {
    email: Type.String({ description: "The person's address.", examples: [EMAIL] }),
    password: password("Their password."),
    code: Type.Optional(code),
    stay: Type.Optional(
      Type.Boolean({
        description: "Stay signed in for 30 days, also when the browser was closed. Left out: no.",
        examples: [true],
      }),
    ),
  },
  { $id: "SignIn", description: "Who signs in.", examples: [{ email: EMAIL, password: PASSWORD }] },
);

const RULES = "At least 10 characters, and none of those that are tried first.";

export const passwordBody = Type.Object(
  {
    current: password("The present password."),
    password: ruled(
      Type.String({ description: `The new one. ${RULES}`, examples: ["some other plain words"] }),
      { minLength: 10 },
    ),
  },
  { $id: "PasswordChange", description: "The present password and the new one." },
);

export const welcomeBody = Type.Object(
  {
    token: Type.String({
      description: "The last part of the link.",
      examples: ["nB4fGhR1mPz8Kq2LwVxN7bTdYc5JsE0aUo9HiX3vBnM"],
    }),
    email: Type.Optional(
      Type.String({
        description:
          "The first owner chooses it. On other links it may be left out; another than theirs is `422`.",
        examples: [EMAIL],
      }),
    ),
    password: password(`The new password. ${RULES} Somebody who has an account gives the one they have.`),
    code: Type.Optional(code),
  },
  {
    $id: "WelcomeUse",
    description: "The link, and the password that is chosen with it.",
    examples: [{ token: "nB4fGhR1mPz8Kq2LwVxN7bTdYc5JsE0aUo9HiX3vBnM", email: EMAIL, password: PASSWORD }],
  },
);

export const presentPasswordBody = Type.Object(
  { password: password("The present password.") },
  { $id: "PresentPassword", description: "The present password: a session alone does not change this." },
);

export const codeBody = Type.Object(
  { code },
  { $id: "TotpConfirm", description: "A code that the app shows." },
);

export const totpSchema = Type.Object(
  {
    secret: Type.String({
      description: "To type into the app, in base32.",
      examples: ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    }),
    uri: Type.String({
      description: "The same for a QR code.",
      examples: [
        "otpauth://totp/Postrider:ada%40example.com?issuer=Postrider&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
      ],
    }),
  },
  {
    ...exact,
    $id: "TotpSecret",
    description: "The secret that the app makes its codes of. It is shown this once.",
  },
);

/** The cookie that every sign-in answers with. */
export const COOKIE_SET = Type.Object({
  "Set-Cookie": Type.String({
    description:
      "`postrider_session`: HttpOnly, SameSite=Lax, and Secure under https. Without `stay` it ends with the browser, and after 12 hours without a request.",
    examples: ["postrider_session=kQ2vXw8…; Path=/; HttpOnly; SameSite=Lax; Secure"],
  }),
});

export const RATE_LIMITED = "The address failed 5 times or its network 20 times within 15 minutes.";

export const sessionListSchema = Type.Array(sessionSchema, { description: "All of them, newest first." });

export const sessionWire =
  (currentId: string) =>
  ({ id, createdAt, lastSeenAt }: Session) => ({
    id,
    createdAt: isoOf(createdAt),
    lastSeenAt: isoOf(lastSeenAt),
    current: id === currentId,
  });
