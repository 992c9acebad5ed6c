/**
 * An address that its owner recognizes but a stranger cannot write to: `a••@example.com`, however long the name is.
 */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = ""] = address;
  return `${first}••${address.slice(at)}`;
}
