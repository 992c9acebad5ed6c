import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, timestamp } from "#http/envelope.ts";
import { HTML_BYTES_MAX, type KeptLetter } from "./letter-shelf.ts";

/** The wire shapes of previews (docs/contract.md "Looking at a letter"). */

export const previewBody = Type.Object(
  {
    html: Type.String({
      description: `The whole letter; at most ${HTML_BYTES_MAX / 1024 / 1024} MiB.`,
      examples: ["<!doctype html><p>Hello, Ada.</p>"],
    }),
  },
  { $id: "LetterPreviewRequest", description: "HTML to look at." },
);

export const previewSchema = Type.Object(
  {
    path: Type.String({
      description:
        "For the `src` of a frame, under the address of this Postrider. Everybody who knows it can see the letter.",
      examples: ["/console/letters/3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJ"],
    }),
    expiresAt: timestamp("When it is gone; a restart can end it earlier."),
  },
  { ...exact, $id: "LetterAddress", description: "Where a letter can be looked at." },
);

export const previewWire = ({ token, expiresAt }: KeptLetter, root: string) => ({
  path: `${root}/console/letters/${token}`,
  expiresAt: isoOf(expiresAt),
});
