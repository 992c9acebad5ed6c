/**
 * Ten newsletters of the kinds and sizes that people send, in our own words. `mjml` ones are compiled first. Two are
 * written in tables with inline styles, as most editors write them; one comes on a single line, as minifiers write it.
 */
export type Newsletter = {
  readonly name: string;
  readonly format: "html" | "mjml";
  readonly subject: string;
  readonly body: string;
};

const SHOP = "https://www.fernhill-tools.example";
const CDN = "https://cdn.fernhill-tools.example/mail/2026";
const PRODUCTS = [
  ["Folding pruning saw", "Cuts branches as thick as an arm and folds into a coat pocket.", "24.90"],
  ["Kneeling board", "Two boards of cork that keep damp away from your knees.", "18.50"],
  ["Copper trowel", "Goes through roots that steel bends at, and does not rust.", "39.00"],
  ["Seed tin with dividers", "Twelve months, a card for each, and room for what is left over.", "27.00"],
  ["Watering can, 9 litres", "Balanced when it is full: the handle is where the weight is.", "54.00"],
  ["Linen apron", "Four pockets that lie flat when they are empty.", "46.00"],
  ["Bird bath", "Stoneware, fired twice, so the first frost does not end it.", "61.00"],
  ["Garden line", "Thirty metres on a wooden reel. Straight rows at last.", "14.80"],
  ["Cold frame", "Oak and glass; opens by itself when it gets too warm inside.", "189.00"],
  ["Leather gloves", "Thorns stay outside. Sizes 6 to 11.", "32.00"],
  ["Compost thermometer", "Half a metre long, so it tells you of the middle.", "21.00"],
  ["Twine, three colours", "Jute that holds a season and then rots away.", "9.90"],
] as const;

const cell = ([name, says, price]: (typeof PRODUCTS)[number], at: number): string => `
        <td width="290" valign="top" style="padding:10px;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;color:#333333;">
          <a href="${SHOP}/p/${1000 + at}?ref=mail" style="text-decoration:none;"><img src="${CDN}/p${1000 + at}.jpg" width="270" height="270" alt="${name}" style="display:block;border:0;width:100%;max-width:270px;height:auto;"></a>
          <h3 style="margin:12px 0 4px 0;font-size:16px;line-height:22px;"><a href="${SHOP}/p/${1000 + at}?ref=mail" style="color:#22442e;text-decoration:none;">${name}</a></h3>
          <p style="margin:0 0 8px 0;">${says}</p>
          <p style="margin:0 0 12px 0;font-weight:bold;">${price} EUR</p>
          <a href="${SHOP}/p/${1000 + at}?ref=mail" style="display:inline-block;padding:10px 18px;background-color:#22442e;color:#ffffff;text-decoration:none;border-radius:3px;">Add to basket</a>
        </td>`;

function shop(title: string, count: number): string {
  const cells = PRODUCTS.slice(0, count).map(cell);
  const rows = Array.from(
    { length: count / 2 },
    (_, row) => `      <tr>${cells.slice(2 * row, 2 * row + 2).join("")}\n      </tr>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
@media only screen and (max-width: 600px) { table.wide { width: 100% !important; } td { display: block !important; width: auto !important; } }
</style>
</head>
<body style="margin:0;padding:0;background-color:#f4f1ea;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f1ea;">
  <tr><td align="center">
    <table role="presentation" class="wide" width="600" cellpadding="0" cellspacing="0" border="0" style="background-color:#ffffff;">
      <tr><td colspan="2" align="center" style="padding:24px;"><a href="${SHOP}/?ref=mail"><img src="${CDN}/logo.png" width="180" height="60" alt="Fernhill Tools" style="display:block;border:0;"></a></td></tr>
      <tr><td colspan="2" style="padding:0 20px;font-family:Georgia,serif;font-size:28px;line-height:34px;color:#22442e;">${title}</td></tr>
${rows.join("\n")}
      <tr><td colspan="2" align="center" style="padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:12px;line-height:18px;color:#777777;">
        <a href="${SHOP}/help?ref=mail" style="color:#777777;">Help</a> | <a href="${SHOP}/delivery?ref=mail" style="color:#777777;">Delivery</a> | <a href="${SHOP}/returns?ref=mail" style="color:#777777;">Returns</a> | <a href="https://social.example/@fernhill" style="color:#777777;">Follow us</a>
      </td></tr>
    </table>
  </td></tr>
</table>
</body>
</html>`;
}

const TOPICS = ["Databases", "Type systems", "Small tools", "History", "Jobs"] as const;
const HEADLINES = [
  "How a queue of ours lost a message, and how we found it",
  "The index you forgot is the one you need",
  "Reading a flame graph without fear",
  "Why the old protocol refuses to die",
  "A year without a framework",
  "What the tests did not say",
] as const;

const digest = (): string => `<html><body style="font-family:sans-serif;max-width:640px">
<h1>The Weekly Byte, number 212</h1>
<p>Thirty links that were worth the time. Answers go to a person.</p>
${TOPICS.map(
  (topic, at) => `<h2>${topic}</h2>
<ul>
${HEADLINES.map(
  (headline, n) =>
    `<li><a href="https://blog${at}.example.net/2026/11/${headline.toLowerCase().replaceAll(/[^a-z]+/g, "-")}-${n}">${headline}</a> (${3 + n} minutes). The author looks at one real case, and says at the end what it cost.</li>`,
).join("\n")}
</ul>`,
).join("\n")}
<p>Was this sent on to you? <a href="https://weeklybyte.example.net/join">Join</a>.</p>
</body></html>`;

const LETTER = `<p>Dear friends,</p>
<p>the hall is ours again from Monday on. The heating works, and the piano was tuned.</p>
<p>We meet at seven, as always. Whoever can, brings a chair less than last time: there are forty new ones.</p>
<p>The programme is on <a href="https://choir.example.org/programme">our page</a>. Please tell Martha by Thursday if you cannot come.</p>
<p>Yours,<br>Ruth</p>`;

const SENTENCES = [
  "We walked along the canal until the houses ended, and nobody said a word about the flood.",
  "The keeper of the lock had counted the boats since he was a boy, in the same green book.",
  "It was not the water that took the mill, he said, but the spring before it, when nobody looked.",
  "His daughter poured coffee into cups that had been mended more than once.",
  "What remains of a town is what people still repair.",
] as const;

const essay = (): string =>
  `<html><head><title>The lock keeper</title></head><body style="font:18px/1.6 Georgia,serif;max-width:36em;margin:0 auto">
<h1>The lock keeper</h1>
${Array.from({ length: 28 }, (_, n) => `<p>${[0, 1, 2, 3].map((k) => SENTENCES[(n + k) % SENTENCES.length]).join(" ")}</p>`).join("\n")}
<p><a href="https://letters.example.com/lock-keeper">Read it on the web</a>, or <a href="https://letters.example.com/subscribe">support these letters</a>.</p>
</body></html>`;

const german = (): string =>
  `<html lang="de"><body style="font-family:Verdana,sans-serif">
<h1>Grüße aus der Gärtnerei Blüher</h1>
${["Äpfel und Quitten", "Für Frühaufsteher", "Das Gewächshaus öffnet", "Vorträge im Dezember", "Führungen"]
  .map(
    (title, at) => `<h2>${title}</h2>
<p>Schön, dass Sie da sind! Über die Feiertage haben wir täglich geöffnet, außer am ersten Tag. Wer möchte, hört beim Pflücken zu: Die Kinder der Nachbarschule lesen Märchen.</p>
<p><a href="https://gaertnerei-blueher.example/termine/${at}">Mehr darüber</a></p>`,
  )
  .join("\n")}
</body></html>`;

const japanese = (): string =>
  `<html lang="ja"><body><h1>山の手帖</h1>
${Array.from({ length: 12 }, (_, at) => `<p>秋の終わりに、谷の古い宿を訪ねました。囲炉裏の火を囲みながら、宿の主人は冬支度の話をしてくれました。<a href="https://yama.example.jp/${at}">続きを読む</a></p>`).join("\n")}
</body></html>`;

const mjml = (
  title: string,
  sections: readonly (readonly [string, string])[],
  site: string,
): string => `<mjml>
  <mj-head><mj-title>${title}</mj-title><mj-attributes><mj-all font-family="Helvetica, Arial, sans-serif" /></mj-attributes></mj-head>
  <mj-body background-color="#eef1f5">
    <mj-section background-color="#ffffff"><mj-column><mj-image width="140px" src="${site}/logo.png" alt="${title}" href="${site}" /><mj-text font-size="24px">${title}</mj-text></mj-column></mj-section>
${sections
  .map(
    ([head, says], at) => `    <mj-section background-color="#ffffff">
      <mj-column width="40%"><mj-image src="${site}/img/${at}.png" alt="${head}" href="${site}/new/${at}" /></mj-column>
      <mj-column width="60%"><mj-text font-size="18px">${head}</mj-text><mj-text>${says}</mj-text><mj-button href="${site}/new/${at}" background-color="#1a5fb4">Read more</mj-button></mj-column>
    </mj-section>`,
  )
  .join("\n")}
  </mj-body>
</mjml>`;

const FEATURES = [
  [
    "Boards load in half the time",
    "We keep what you looked at last, so opening a board again asks the server for nothing but the changes.",
  ],
  ["Comments can be settled", "A thread that is over folds up. It stays in the history, and in the search."],
  [
    "Two new kinds of export",
    "Spreadsheets with formulas that still work, and pages that print as they look.",
  ],
  [
    "Fewer mails from us",
    "One summary a day takes the place of one mail for each change, unless you say otherwise.",
  ],
] as const;

const PROGRAMME = [
  [
    "Nine o'clock: coffee, and the doors open",
    "Badges are at the desk. If you come by train, the hall is two minutes from the station.",
  ],
  [
    "Ten: what we broke this year",
    "Three teams tell of an outage each, what it cost, and what they would do again.",
  ],
  [
    "One: lunch together",
    "Long tables, no sponsors, and a plan of who sits with whom, for those who want one.",
  ],
] as const;

const WELCOME = `<html><body style="font-family:sans-serif">
<h2>Welcome on board</h2>
<p>Your account is ready. Three things that most people do first:</p>
<ol><li><a href="https://app.tally.example/import">Bring your data</a></li><li><a href="https://app.tally.example/people">Ask your colleagues in</a></li><li><a href="https://app.tally.example/tour">Take the tour</a> (four minutes)</li></ol>
<p>Answer this mail if anything is in your way.</p>
</body></html>`;

export const NEWSLETTERS: readonly Newsletter[] = [
  { name: "a choir's letter", format: "html", subject: "Monday at seven", body: LETTER },
  { name: "a welcome", format: "html", subject: "Welcome on board", body: WELCOME },
  {
    name: "a shop, 12 products",
    format: "html",
    subject: "For the garden in winter",
    body: shop("For the garden in winter", 12),
  },
  {
    name: "a shop, 6 products, one line",
    format: "html",
    subject: "Six small gifts",
    body: shop("Six small gifts", 6)
      .replaceAll(/>\s+</g, "><")
      .replaceAll(/\s*\n\s*/g, " "),
  },
  { name: "a digest, 31 links", format: "html", subject: "The Weekly Byte, number 212", body: digest() },
  { name: "an essay", format: "html", subject: "The lock keeper", body: essay() },
  { name: "a nursery's news, German", format: "html", subject: "Grüße aus der Gärtnerei", body: german() },
  { name: "a travel letter, Japanese", format: "html", subject: "山の手帖", body: japanese() },
  {
    name: "product news, MJML",
    format: "mjml",
    subject: "What is new in November",
    body: mjml("What is new", FEATURES, "https://tally.example"),
  },
  {
    name: "an invitation, MJML",
    format: "mjml",
    subject: "A day about things that broke",
    body: mjml("You are invited", PROGRAMME, "https://outage-day.example"),
  },
];
