import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Registers the bundled providers, creates one model, and prints which provider packages each step loaded. */
const SCRIPT = `
import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({
  load(url, context, next) {
    const name = /node_modules\\/@ai-sdk\\/([a-z-]+)\\//.exec(url)?.[1];
    if (name !== undefined && !name.startsWith("provider")) loaded.add(name);
    return next(url, context);
  },
});
const providers = [];
for (const id of ["openai", "anthropic", "openai-compatible"]) {
  const { default: plugin } = await import("./extensions/" + id + "/dist/index.js");
  plugin.register({ pluginConfig: {}, registerProvider: (provider) => providers.push(provider) });
}
const registered = [...loaded];
await providers.find(({ id }) => id === "openai").languageModel("any-model");
console.log(JSON.stringify({ ids: providers.map(({ id }) => id), registered, used: [...loaded] }));
`;

describe("library of a provider", () => {
  it("[LLM-043] is loaded when a model of the provider is created, and not for others", () => {
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", SCRIPT], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env.PATH, OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "a" },
    });
    const { ids, registered, used } = JSON.parse(output);
    expect(ids).toEqual(expect.arrayContaining(["openai", "anthropic", "openai-compatible"]));
    expect(registered).toEqual([]);
    expect(used).toEqual(["openai"]);
  });
});
