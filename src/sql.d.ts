/** `import text from "./x.sql" with { type: "text" }`: the file's text, embedded in the executable. */
declare module "*.sql" {
  const text: string;
  export default text;
}
