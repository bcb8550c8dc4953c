// Runs two gateways in one process, with a plugin each and one that both have; every plugin fails in a timer and
// calls `process.exit`. Stops the first gateway, and lets the plugin of the second one fail again.
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { loadConfiguration } from "@openclaw/configuration";
import { startGateway } from "@openclaw/gateway";

const [folder] = process.argv.slice(2);
const refused = [];
globalThis.failures = new Map();

async function start(name) {
  const configurationFile = join(folder, name, "openclaw.json");
  return startGateway({
    version: "1.0.0",
    stateDir: join(folder, name),
    configuration: await loadConfiguration(configurationFile),
    configurationFile,
    workspaceDir: join(folder, name, "workspace"),
    bundledExtensions: [],
    pluginPaths: [join(folder, name, "plugin"), join(folder, "shared")],
    environment: {},
    inMemory: true,
  });
}

function fail(id, message) {
  const { throwLater, exit } = globalThis.failures.get(id);
  throwLater(message);
  try {
    exit();
  } catch (error) {
    refused.push([id, error.code]);
  }
}

const first = await start("first");
const second = await start("second");
fail("of-first", "both run");
fail("of-second", "both run");
await wait(20);
await first.stop("command");
fail("of-second", "one runs");
await wait(20);
await second.stop("command");
console.log(JSON.stringify({ refused, exitIsRestored: !process.exit.toString().includes("args") }));
