// Runs a host for each scenario of a folder, all at once, and kills itself at one of their fault points.
// What outlives it lies in the folder: databases, and what was seen of the world, line by line.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { runCrashProcess } from "../support/crash-process.ts";
import { MortalProcess } from "../support/mortal-process.ts";
import { readWorld } from "../support/observed-world.ts";

const [folder, killAt] = process.argv.slice(2);
const scenarios = JSON.parse(readFileSync(join(folder, "scenarios.json"), "utf8"));
const mortal = new MortalProcess(Number(killAt), () => process.kill(process.pid, "SIGKILL"));

await Promise.all(
  scenarios.map(async (scenario, index) => {
    const log = join(folder, `${index}.log`);
    const note = (...line) => appendFileSync(log, `${JSON.stringify(line)}\n`);
    const world = {
      ran: (effect) => note("ran", effect),
      given: (key, text) => note("given", key, text),
      acknowledged: (key, messageId) => note("acknowledged", key, messageId),
    };
    const { ids } = readWorld(log);
    const store = await openStore({ file: join(folder, `${index}.db`), durability: "process" });
    await runCrashProcess(scenario, store, mortal, world, (key) => ids.has(key));
    await store.close();
  }),
);
process.exit(0);
