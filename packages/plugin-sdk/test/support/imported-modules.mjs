// Imports one module of the built package in a separate process, and prints what that loads and
// leaves behind. usage: node imported-modules.mjs <file>
import { createHook } from "node:async_hooks";
import { registerHooks } from "node:module";
import { argv, getActiveResourcesInfo, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const modules = [];
const started = [];
registerHooks({
  load(url, context, next) {
    modules.push(url);
    return next(url, context);
  },
});
const before = getActiveResourcesInfo();
// Files and timers alike are resources of the event loop.
createHook({ init: (_id, type) => type === "PROMISE" || started.push(type) }).enable();
await import(pathToFileURL(argv[2]).href);
const after = getActiveResourcesInfo();
stdout.write(JSON.stringify({ modules, started, before, after }));
