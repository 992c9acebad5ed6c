/** Paper is white: what is printed has the light colours, because pale words of a dark screen cannot be read on it. */
export function paperIsLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  addEventListener("beforeprint", () => {
    shown = dataset["mantineColorScheme"];
    dataset["mantineColorScheme"] = "light";
  });
  addEventListener("afterprint", () => {
    if (shown !== undefined) dataset["mantineColorScheme"] = shown;
  });
}
