// Loads the plugins of every case below a folder through the built runtime, as a host would, and
// prints their states. Runs under plain Node: a test runner's module loader would replace the one
// under test.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "@openclaw/plugin-sdk";
import * as errors from "@openclaw/plugin-sdk/errors";
import * as pluginEntry from "@openclaw/plugin-sdk/plugin-entry";
import { createPluginRuntime } from "../../dist/index.js";

/** Values that plugins of the cases compare with their own imports. */
globalThis.hostSdk = { sdk, errors, pluginEntry };

const root = process.argv[2];
const results = {};
for (const name of readdirSync(root).sort()) results[name] = await runCase(join(root, name));
console.log(JSON.stringify(results));

async function runCase(folder) {
  const {
    config = {},
    paths = [],
    toolNames = [],
    fire = [],
    hostVersion,
    answer,
  } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8"));
  const logs = [];
  const note = (level) => (message, fields) => logs.push({ level, message, ...fields });
  globalThis.imported = [];
  const runtime = createPluginRuntime({
    config: { plugins: { permissions: "off", ...config } },
    ...(hostVersion === undefined ? {} : { hostVersion }),
    logger: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
    hostServices: { names: { tools: toolNames }, ...(answer === undefined ? {} : agent(answer)) },
    bundled: folders(join(folder, "bundled")),
    workspaceDir: join(folder, "workspace"),
    stateDir: join(folder, "state"),
    extraPaths: paths.map((path) => join(folder, path)),
  });
  const overview = await runtime.discover();
  const importedByDiscovery = [...globalThis.imported];
  const generation = await runtime.load();
  const handlers = runtime.inspection
    .registrations()
    .map(({ owner, hook, active, reason }) => ({ owner, hook, active, reason }))
    .sort((a, b) => `${a.owner} ${a.hook}`.localeCompare(`${b.owner} ${b.hook}`));
  const fired = [];
  for (const { kind, hook, event } of fire) {
    fired.push((await runtime.hooks[kind](hook, event, { callDepth: 0 })) ?? null);
  }
  const { plugins, tools, providers, hooks, diagnostics } = generation;
  await runtime.dispose();
  return {
    overview: overview.plugins.map(({ id, enabled, reason, error }) => ({
      id,
      enabled,
      reason,
      error,
    })),
    importedByDiscovery,
    imported: globalThis.imported,
    handlers,
    fired,
    plugins,
    tools: tools.map(({ pluginId, names }) => ({ pluginId, names })),
    providers: providers.map(({ pluginId, provider }) => ({ pluginId, id: provider.id })),
    hooks: hooks.map(({ pluginId, events }) => ({ pluginId, events })),
    diagnostics,
    logs,
  };
}

/** An agent that answers every prompt with a text and the prompt. */
function agent(answer) {
  const reply = (prompt) => ({ status: "completed", text: `${answer}: ${prompt}` });
  return {
    complete: async (_, { messages }) => reply(messages[0].content),
    runAgent: async (_, { prompt }) => reply(prompt),
  };
}

function folders(parent) {
  try {
    return readdirSync(parent)
      .sort()
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}
