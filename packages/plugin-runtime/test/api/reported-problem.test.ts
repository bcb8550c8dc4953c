import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

async function hostWith(register: (api: OpenClawPluginApi) => void) {
  const { runtime } = createTestHost([plugin(register)]);
  await runtime.load();
  return runtime;
}

const problem = { level: "error", message: "the key limit is 0", hint: "set limit to 1" } as const;

describe("api.diagnose", () => {
  it("[SDK-065] adds a problem to the diagnostics of the plugin once, which stays loaded", async () => {
    const runtime = await hostWith((api) => {
      api.diagnose(problem);
      api.diagnose({ ...problem, level: "warn" });
      api.diagnose({ ...problem, level: "warn", message: "the key size is unusual" });
    });
    const [record] = runtime.current.plugins;
    expect(record?.status).toBe("loaded");
    expect(runtime.current.diagnostics).toMatchObject([
      { ...problem, code: "plugin-reported", pluginId: record?.id },
      { level: "warn", message: "the key size is unusual", pluginId: record?.id },
    ]);
  });

  it("bounds the number and the length of problems", async () => {
    const runtime = await hostWith((api) => {
      for (let count = 0; count < 500; count += 1) {
        api.diagnose({ ...problem, message: `${count} ${"x".repeat(5000)}` });
      }
    });
    const { diagnostics } = runtime.current;
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.every(({ message }) => message.length === 1000)).toBe(true);
  });

  it.each([
    [undefined, /problem: expected \{ level, message, hint \}, got undefined/],
    [{ ...problem, level: "fatal" }, /level: expected "warn" or "error", got/],
    [{ ...problem, message: "" }, /message: expected a sentence/],
    [{ ...problem, hint: 3 }, /hint: expected the next step of the operator, got/],
  ])("rejects %j", async (given, expected) => {
    let caught: unknown;
    await hostWith((api) => {
      try {
        api.diagnose(given as typeof problem);
      } catch (error) {
        caught = error;
      }
    });
    expect(String(caught)).toMatch(expected);
  });
});
