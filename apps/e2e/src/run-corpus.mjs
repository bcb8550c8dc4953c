// Loads the plugins of the corpus as the reference host does, and prints the state of each. Runs under
// plain Node: a test runner's module loader would replace the one under test.
// usage: node run-corpus.mjs <folder>   with `corpus.json` in it
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPluginRuntime } from "@openclaw/plugin-runtime";

const root = process.argv[2];
const { plugins, paths, calls, decisions } = JSON.parse(
  readFileSync(join(root, "corpus.json"), "utf8"),
);
const logs = [];
const note = (level) => (message, fields) => logs.push({ level, message, ...fields });
const runtime = createPluginRuntime({
  config: { plugins: { permissions: "off", ...plugins } },
  logger: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
  stateDir: join(root, "state"),
  extraPaths: paths.map((path) => join(root, path)),
  sdkModules: hostModules(),
});
const generation = await runtime.load();
const results = [];
for (const { pluginId, tool, params } of calls) results.push(await call(pluginId, tool, params));
const answers = [];
for (const event of decisions) {
  const answer = await runtime.hooks.decide("before_tool_call", event, { callDepth: 0 });
  answers.push(answer?.requireApproval?.description ?? null);
}
const { plugins: records, diagnostics, number: _number, ...lists } = generation;
console.log(
  JSON.stringify({
    records,
    diagnostics,
    logs,
    results,
    answers,
    registered: Object.fromEntries(
      Object.entries(lists).map(([kind, items]) => [kind, items.map(({ pluginId }) => pluginId)]),
    ),
  }),
);
await runtime.dispose();

/** Returns the modules of the package `openclaw` below `openclaw/plugin-sdk`. */
function hostModules() {
  const file = createRequire(import.meta.url).resolve("openclaw/plugin-sdk");
  const folder = dirname(dirname(dirname(file)));
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return new Map(
    Object.entries(exports).map(([subpath, target]) => [
      `openclaw${subpath.slice(1)}`,
      pathToFileURL(join(folder, target.default)).href,
    ]),
  );
}

async function call(pluginId, name, params) {
  const session = {
    sessionKey: "agent:main:main",
    sessionId: "1",
    agentId: "main",
    workspaceDir: root,
    messageChannel: "terminal",
    senderIsOwner: true,
    sandboxed: false,
    activeModel: "demo/demo",
  };
  for (const registration of generation.tools.filter((tool) => tool.pluginId === pluginId)) {
    const { tool } = registration;
    const made = typeof tool === "function" ? await tool(session) : tool;
    const found = [made].flat().find((one) => one?.name === name);
    if (found === undefined) continue;
    return await found.execute("call-1", params, new AbortController().signal, () => {});
  }
  return null;
}
