/**
 * Lights up one link of a letter that is shown in a frame of its own: nothing in it runs and nothing of it
 * can be touched, but the address of the frame says which part of it is meant.
 */
export const linkName = (at: number): string => `postrider-link-${at}`;

const LIT = "outline:3px solid #0b6a73;outline-offset:2px;box-shadow:0 0 0 6px #fff;border-radius:3px";

/** The styles for so many links, to stand at the end of the letter. Every link of one address lights up, and its number. */
export function litLinks(count: number): string {
  const rules = Array.from({ length: count }, (_, at) => {
    const name = linkName(at);
    return `html:has(#${name}:target) :is(.${name},a:has(+ .${name})){${LIT}}`;
  });
  return `<style>[id^="postrider-link-"]{scroll-margin:180px}${rules.join("")}</style>`;
}
