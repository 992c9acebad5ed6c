import { expect, test } from "bun:test";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { dice } from "../../support/common/dice.ts";
import { BASE_URL, grace, mailing, received } from "../../support/sending/marketing-fixture.ts";

const UNSUBSCRIBE = `${BASE_URL}/u/${grace().tokens.unsubscribe}`;
const CLICK = new RegExp(`${BASE_URL}/c/${grace().tokens.click}/\\d+`);
const DOCUMENTS = 1_000;

const SOUP = (
  "<div> </div> <p> </p> <table> </table> <tr> <td> </td> <caption> <colgroup> <col> <tbody> <b> </b> <i> <nobr> <h1> <font|color=red> " +
  '<a|href=\'https://example.com/ \'> " > <a|href=https://example.com/y> </a> <area|href="https://example.com/z"> <a|data-no-track|href=https://example.com/q> ' +
  "<!-- --> <!x </ <a &amp é 🎉 x | <br> </br> <hr> <img|alt=x> <ol|type=I|start=99999> <li> <ul> <dd> <input> <image> <blockquote> <pre> " +
  "<style> </style> <script> </script> <title> </title> <textarea> </textarea> <iframe> </iframe> <xmp> <noscript> </noscript> <plaintext> " +
  "<select> <option> </select> <template> </template> <svg> <foreignObject> <desc> <math> <mtext> <![CDATA[ ]]> " +
  "<!doctype|html> <html> </html> <head> <body> </body> <frameset> <frame> <form> </form> <button> <object> <marquee> <ruby><rt> <dialog>"
)
  .split(" ")
  .map((piece) => piece.replaceAll("|", " "));

test(`The footer stands free and the author's text is whole in ${DOCUMENTS} documents of tag soup`, async () => {
  const chance = dice(5);
  let tracked = 0;
  for (let n = 0; n < DOCUMENTS; n++) {
    const html = Array.from({ length: 1 + chance.roll(14) }, () => chance.pick(SOUP)).join("");
    const message = await received(mailing({ html }));
    tracked += message.links.length;
    expect([html, ancestorsOfUnsubscribe(parse(message.html, { scriptingEnabled: false }))]).toEqual([
      html,
      "div body html #document",
    ]);
    expect([html, leftOver(html, message.html)]).toEqual([html, ""]);
  }
  expect(tracked).toBeGreaterThan(50);
});

/** What of the author's text does not stand in the message, in order, but for the link targets. */
function leftOver(author: string, sent: string): string {
  let rest = author;
  for (const piece of sent
    .split(/<div style="background:#ffffff[^]*?<\/div>/)
    .flatMap((half) => half.split(CLICK))) {
    const kept = longestPrefixWithin(piece, rest);
    rest = rest.slice(rest.indexOf(kept) + kept.length);
  }
  return rest;
}

function longestPrefixWithin(piece: string, text: string): string {
  let length = piece.length;
  while (!text.includes(piece.slice(0, length))) length--;
  return piece.slice(0, length);
}

function ancestorsOfUnsubscribe(page: Tree.Document): string {
  const waiting: Tree.Node[] = [page];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("attrs" in node && node.attrs.some(({ name, value }) => name === "href" && value === UNSUBSCRIBE))
      return namesAbove(node);
    if ("childNodes" in node) waiting.push(...node.childNodes);
  }
  return "";
}

function namesAbove(element: Tree.Element): string {
  const names: string[] = [];
  for (
    let node: Tree.Node | null = element.parentNode;
    node;
    node = "parentNode" in node ? node.parentNode : null
  )
    names.push(node.nodeName);
  return names.join(" ");
}
