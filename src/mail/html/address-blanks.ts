/** Removes the white space that browsers ignore in an address (WHATWG URL, "basic URL parser"). */
export function trimAsBrowsersDo(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && value.charCodeAt(start) <= 0x20) start++;
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end--;
  return value.slice(start, end).replace(/[\t\n\r]/g, "");
}
