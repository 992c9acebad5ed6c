/** About 10 KB of HTML with 20 links. */
export function letterHtml(): string {
  const words = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(7);
  const paragraph = (n: number) =>
    `<p>Item ${n}: <a href="https://shop.example.org/item/${n}?a=1&amp;b=2">see it</a>. ${words}</p>`;
  return `<html><body><h1>Spring</h1>${Array.from({ length: 20 }, (_, n) => paragraph(n)).join("")}</body></html>`;
}
