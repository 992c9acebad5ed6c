/** A server that kills itself in the middle of a long write: it imports a file into the home that it is given. */
import { newPlace } from "../server/services.ts";
import { startApi, type Home } from "../server/api.ts";
import { upload } from "./imports.ts";

const [homeText = "", file = ""] = process.argv.slice(2);
const home = JSON.parse(homeText) as Omit<Home, "place">;
const api = await startApi({ home: { ...home, place: await newPlace(home.dataDir) } });
const { longWrites } = api.services.database;
const real = longWrites.write.bind(longWrites);
Object.assign(longWrites, {
  write: ((slices) =>
    real(function* (sqlite) {
      const steps = slices(sqlite);
      for (let n = 0; n < 5 && steps.next().done !== true; n++) yield;
      process.kill(process.pid, "SIGKILL");
      throw new Error("never reached");
    })) satisfies typeof longWrites.write,
});
await upload(api, "/imports", file);
await new Promise(() => undefined);
