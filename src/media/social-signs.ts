import type { SocialSign } from "#mail/html/mjml/social-signs.ts";
import dribbble from "./social/dribbble.png" with { type: "file" };
import facebook from "./social/facebook.png" with { type: "file" };
import github from "./social/github.png" with { type: "file" };
import google from "./social/google.png" with { type: "file" };
import instagram from "./social/instagram.png" with { type: "file" };
import linkedin from "./social/linkedin.png" with { type: "file" };
import medium from "./social/medium.png" with { type: "file" };
import pinterest from "./social/pinterest.png" with { type: "file" };
import snapchat from "./social/snapchat.png" with { type: "file" };
import soundcloud from "./social/soundcloud.png" with { type: "file" };
import tumblr from "./social/tumblr.png" with { type: "file" };
import twitter from "./social/twitter.png" with { type: "file" };
import vimeo from "./social/vimeo.png" with { type: "file" };
import web from "./social/web.png" with { type: "file" };
import x from "./social/x.png" with { type: "file" };
import xing from "./social/xing.png" with { type: "file" };
import youtube from "./social/youtube.png" with { type: "file" };

/**
 * The signs of social networks in letters: white on a transparent ground, 80 by 80 pixels; the letter gives
 * the colour behind them. Drawn from Tabler Icons (MIT).
 */
const FILES: Readonly<Record<SocialSign, string>> = {
  dribbble,
  facebook,
  github,
  google,
  instagram,
  linkedin,
  medium,
  pinterest,
  snapchat,
  soundcloud,
  tumblr,
  twitter,
  vimeo,
  web,
  x,
  xing,
  youtube,
};

const isSign = (name: string): name is SocialSign => Object.hasOwn(FILES, name);

/** The file of a sign by its name in the address, like `github.png`; null if there is none. */
export function signFile(fileName: string): Bun.BunFile | null {
  const name = fileName.replace(/\.png$/, "");
  return name !== fileName && isSign(name) ? Bun.file(FILES[name]) : null;
}
