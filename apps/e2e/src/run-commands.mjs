// Runs commands of the built command line one after another, as its parent sends them, and sends back their output. Plugins
// load as in the program: without the module loader of a test runner.
import { once } from "node:events";
import { enableCompileCache } from "node:module";
import { runCaptured } from "./captured-command.ts";

enableCompileCache();
const commandLine = await import("../../gateway/dist/command-line.js");
let last = Promise.resolve();
process.on("message", (command) => {
  last = last.then(async () => process.send(await runCaptured(commandLine, command)));
});
process.send("ready");
await once(process, "disconnect");
// A timer or server that a plugin left would keep the process running.
process.exit();
