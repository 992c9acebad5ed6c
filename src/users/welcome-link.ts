import { createHash } from "node:crypto";
import { DAY_MS } from "#core/time/time.ts";

/** How long somebody who was invited, or whose password was reset, has to follow the link. */
export const LINK_DAYS = 7;
export const LINK_MS = LINK_DAYS * DAY_MS;

/** 43 characters of base64url from 32 random bytes: they fit into an address as they are. */
export const linkToken = (random: Uint8Array): string => Buffer.from(random).toString("base64url");

/** What is stored of a link or a cookie. They are 256 random bits, so a plain hash cannot be reversed by trying. */
export const secretHash = (token: string): Uint8Array => createHash("sha256").update(token).digest();

/** The page of the console that a link opens (docs/contract.md "People and the console"). */
export const welcomeAddress = (baseUrl: string, token: string): string =>
  `${baseUrl}/console/welcome/${token}`;
