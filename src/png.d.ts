/** `import path from "./x.png" with { type: "file" }`: where the file lies, also inside the executable. */
declare module "*.png" {
  const path: string;
  export default path;
}
