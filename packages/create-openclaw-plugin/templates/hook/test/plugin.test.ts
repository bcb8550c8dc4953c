import { createTestHost, sampleEvent } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";

const plugin = new URL("..", import.meta.url);

it("blocks a forbidden command", async () => {
  const host = await createTestHost({ plugin, answer: "allow-once" });
  onTestFinished(() => host.dispose());
  const { isError, text } = await host.callTool("exec", { command: "rm -rf build" });
  expect(isError).toBe(true);
  expect(text).toContain('commands with "rm -rf" are not allowed here');
});

it("reads the forbidden strings from the configuration", async () => {
  const host = await createTestHost({ plugin, pluginConfig: { forbidden: ["shutdown"] } });
  onTestFinished(() => host.dispose());
  const [shutdown, removal] = await Promise.all(
    ["shutdown now", "rm -rf build"].map((command) =>
      host.fire(
        "before_tool_call",
        sampleEvent("before_tool_call", { toolName: "exec", params: { command } }),
        { toolName: "exec" },
      ),
    ),
  );
  expect(shutdown).toMatchObject({ block: true });
  expect(removal).toBeUndefined();
});
