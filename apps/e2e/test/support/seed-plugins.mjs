// Loads the plugins that show how a plugin may be written, and prints how they behave. Runs under plain
// Node on the built test kit: a test runner's module loader would replace the host's.
import { createTestHost } from "@openclaw/plugin-testkit";

const plugin = (name) => new URL(`../plugins/${name}/`, import.meta.url);
const text = async (host, tool, params) => (await host.callTool(tool, params)).text;
const results = { patterns: {} };

for (const name of [
  "default-function",
  "default-object",
  "named-register",
  "commonjs-function",
  "commonjs-object",
]) {
  const host = await createTestHost({ plugin: plugin(name) });
  const [tool] = host.plugin.toolNames;
  results.patterns[name] = {
    tool,
    answer: await text(host, tool),
    logged: host.logs.map(({ message }) => message).filter((line) => line.startsWith("saw ")),
  };
  await host.dispose();
}

/** A search of the web to be guarded. */
const search = {
  id: "search",
  register(api) {
    api.registerTool({
      name: "web_search",
      description: "Searches the web.",
      parameters: { type: "object", properties: { query: { type: "string" } } },
      execute: () => "found",
    });
  },
};
results.preflight = {};
for (const answer of ["allow-once", "deny", undefined]) {
  const host = await createTestHost({
    plugin: plugin("tool-preflight"),
    neighbours: [search],
    files: { "a.txt": "unguarded" },
    ...(answer === undefined ? {} : { answer }),
  });
  results.preflight[answer ?? "nobody"] = {
    search: await text(host, "web_search", { query: "lobsters" }),
    read: await text(host, "read", { path: "a.txt" }),
    questions: host.questions.map(({ title, description, severity }) => ({
      title,
      description,
      severity,
    })),
    priorities: host.registrations.hooks.map(({ priority }) => priority),
  };
  await host.dispose();
}

const call = [{ toolCalls: [{ toolName: "workspace-action" }] }, { text: "done" }];
const offered = { tools: { alsoAllow: ["workspace-*"] } };
results.factory = {};
for (const [name, options] of Object.entries({
  unnamed: { model: call },
  terminal: { model: call, config: offered },
  telegram: { model: call, config: offered, message: { channel: "telegram", senderId: "ana" } },
})) {
  const { message = {}, ...made } = options;
  const host = await createTestHost({ plugin: plugin("workspace-action"), ...made });
  const { events } = await host.receive({ text: "act", ...message });
  const [offer] = host.modelRequests;
  results.factory[name] = {
    isOffered: offer.tools.some((tool) => tool.name === "workspace-action"),
    answer: events.find(({ type }) => type === "tool-finished").preview,
  };
  await host.dispose();
}
console.log(JSON.stringify(results));
