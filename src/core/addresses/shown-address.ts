/**
 * An address that its owner recognizes but a stranger cannot write to: `a••@example.com`, whatever the length
 * of the name.
 */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = ""] = address;
  return `${first}••${address.slice(at)}`;
}
