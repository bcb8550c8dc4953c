import { createPluginRuntime, HOOK_CATALOG, type PluginRuntime } from "@openclaw/plugin-runtime";
import { type CataloguedHookName, HOOK_NAMES } from "@openclaw/plugin-sdk/hooks";
import { sampleContext, sampleEvent } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";
import { HOOK_EXAMPLES } from "../../src/hook-examples/all.js";
import type { HookExample } from "../../src/hook-examples/example.js";

/** Loads the example as a plugin and dispatches its hook once. */
async function run(name: CataloguedHookName) {
  const { register, event, context }: HookExample<CataloguedHookName> = HOOK_EXAMPLES[name];
  const logs: string[] = [];
  const write = (level: string) => (message: string) => void logs.push(`${level}: ${message}`);
  const runtime = createPluginRuntime({
    config: {},
    logger: {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    },
    inline: [{ id: "my-plugin", register }],
  });
  const { diagnostics } = await runtime.load();
  expect(diagnostics.filter(({ level }) => level !== "info")).toEqual([]);
  logs.length = 0;
  const result = await dispatchOf(runtime.hooks, name)(
    name,
    { ...sampleEvent(name), ...event },
    { ...sampleContext(name), ...context },
  );
  await runtime.dispose();
  return { result, logs };
}

type Dispatch = (name: string, event: object, context: object) => unknown;

/** Which of the five dispatches fits a hook is known to the catalog alone, not by the type of its name. */
function dispatchOf(hooks: PluginRuntime["hooks"], name: CataloguedHookName): Dispatch {
  return hooks[HOOK_CATALOG[name].kind].bind(hooks) as Dispatch;
}

describe("examples on hook pages", () => {
  it.each(HOOK_NAMES)("[SDK-036] %s: has the documented effect", async (name) => {
    const { result, logs = [] }: HookExample<CataloguedHookName> = HOOK_EXAMPLES[name];
    expect(result !== undefined || logs.length > 0).toBe(true);
    expect(await run(name)).toEqual({ result, logs });
  });
});
