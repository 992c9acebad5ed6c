/** The reference for starts and idle memory: Elysia's hello and nothing else. `bare-hello PORT` */
import { Elysia } from "elysia";

new Elysia()
  .get("/health", () => ({ status: "ok" }))
  .listen({ hostname: "127.0.0.1", port: Number(process.argv.at(-1)) });
