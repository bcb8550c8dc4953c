import { execFileSync } from "node:child_process";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { getGlobalHookRunner } from "openclaw/plugin-sdk/hook-runtime";
import { describe, expect, it, onTestFinished } from "vitest";

const LOGGER = { debug() {}, info() {}, warn() {}, error() {} };

/** Loads a host with one plugin. */
async function load(register: (api: OpenClawPluginApi) => void) {
  const inline = [{ id: "guard", register }];
  const runtime = createPluginRuntime({ config: {}, logger: LOGGER, inline });
  onTestFinished(() => runtime.dispose());
  await runtime.load();
}

const context = { callDepth: 0, sessionKey: "agent:main:main" };

/** A program that loads no host: in this process, other tests may have loaded one. */
const WITHOUT_HOST = `
  import { getGlobalHookRunner } from "openclaw/plugin-sdk/hook-runtime";
  console.log(getGlobalHookRunner());
`;

describe("getGlobalHookRunner", () => {
  it("[PLUG-114] returns null without a host", () => {
    const program = ["--input-type=module", "--eval", WITHOUT_HOST];
    const printed = execFileSync(process.execPath, program, { cwd: import.meta.dirname });
    expect(String(printed).trim()).toBe("null");
  });

  it("[PLUG-114] dispatches to the handlers of the newest host", async () => {
    const deny = (blockReason: string) => (api: OpenClawPluginApi) => {
      api.on("before_tool_call", ({ toolName }) =>
        toolName === "exec" ? { block: true, blockReason } : undefined,
      );
    };
    await load(deny("first"));
    const runner = getGlobalHookRunner();
    expect(runner?.hasHooks("before_tool_call")).toBe(true);
    expect(runner?.hasHooks("message_sending")).toBe(false);
    expect(runner?.hasHooks("no_hook")).toBe(false);
    const call = { toolName: "exec", params: {} };
    expect(await runner?.runBeforeToolCall?.(call, context)).toMatchObject({
      block: true,
      blockReason: "first",
    });
    expect(await runner?.runMessageSending?.({ to: "a", content: "b" }, context)).toBeUndefined();
    expect(await runner?.runNoHook?.({})).toBeUndefined();
    await load(deny("second"));
    expect(await getGlobalHookRunner()?.runBeforeToolCall?.(call, context)).toMatchObject({
      blockReason: "second",
    });
  });
});
