import { homedir } from "node:os";
import { dirname } from "node:path";
import type { ToolFactoryContext } from "@openclaw/plugin-sdk/tools";
import { expect, it } from "vitest";
import { lobsterHost, PLUGIN } from "./support/lobster-host.js";

/** Result of a command. */
const ended = (exitCode: number) => ({
  ...{ status: "ok", toolCallId: "nested", content: [] },
  details: { exitCode, output: "a\n", truncated: false },
});

/** Runs a pipeline whose commands end with a code, and returns the reported steps. */
async function stepsOf(pipeline: string, callTool: () => Promise<unknown>) {
  const { host } = await lobsterHost();
  const context = {
    ...{ sandboxed: false, sessionKey: "agent:main:main", agentId: "main", callTool },
    workspaceDir: host.workspaceDir,
    requester: { channel: "a", channelId: "b", senderId: "c", senderIsOwner: true },
  } as unknown as ToolFactoryContext;
  const [registration] = host.registrations.tools;
  if (typeof registration?.tool !== "function") throw new Error("expected a factory");
  const tools = [(await registration.tool(context)) ?? []].flat();
  const updates: string[] = [];
  const params = { action: "run", pipeline } as never;
  await tools
    .find(({ name }) => name === "lobster")
    ?.execute("call-1", params, new AbortController().signal, (update) => {
      updates.push(typeof update === "string" ? update : JSON.stringify(update));
    });
  // Each update has the latest steps, of which the last one is new.
  return updates.map((update) => JSON.parse(update.split("\n").at(-1) ?? ""));
}

it("[LOB-034] reports start and end of each step with an effect, with its status and time", async () => {
  const ms = expect.any(Number);
  expect(await stepsOf("exec echo a | exec cat | json", async () => ended(0))).toEqual([
    { step: "exec", status: "started", ms: 0 },
    { step: "exec", status: "ok", ms },
    { step: "exec", status: "started", ms: 0 },
    { step: "exec", status: "ok", ms },
  ]);
  const denied = async () => ({ status: "denied", toolCallId: "nested", content: [] });
  const [started, end] = await stepsOf("exec echo a", denied);
  expect(started).toEqual({ step: "exec", status: "started", ms: 0 });
  expect(end).toMatchObject({ step: "exec", ms });
  expect(["failed", "denied"]).toContain(end?.status);
});

it("[LOB-008] names neither a stack nor a path outside the workspace, whatever fails", async () => {
  const { host } = await lobsterHost({
    answer: "allow-once",
    files: {
      "broken.yaml": "steps: [",
      "unknown.yaml": "steps:\n  - { id: a, run: echo a, frobnicate: 1 }\n",
      "fails.yaml": "steps:\n  - { id: a, run: exit 3 }\n",
      "missing.yaml": "steps:\n  - { id: a, workflow: nothing.yaml }\n",
    },
  });
  const failures: string[] = [];
  for (const params of [
    ...["/etc/other.yaml", "none.yaml", "broken.yaml", "unknown.yaml"].map((filePath) => ({
      action: "run",
      filePath,
    })),
    ...["fails.yaml", "missing.yaml"].map((filePath) => ({ action: "run", filePath })),
    ...["nope", "exec 'a", "exec exit 4", "json.parse", "exec cat /nowhere/at/all"].map(
      (pipeline) => ({ action: "run", pipeline }),
    ),
    { action: "run", pipeline: "exec echo a", cwd: "/tmp" },
    { action: "resume", token: "a.b", approve: true },
  ]) {
    const { text } = await host.callTool("lobster", params as never);
    // A call that is denied before the tool runs has no envelope.
    if (text.startsWith("{")) failures.push(text);
  }
  expect(failures.length).toBeGreaterThan(8);
  for (const failure of failures) {
    expect(JSON.parse(failure)).toEqual({
      protocolVersion: 1,
      ok: false,
      error: expect.objectContaining({
        message: expect.any(String),
        type: expect.stringMatching(
          /^(?:parse_error|runtime_error|timeout|output_limit|denied|token_(?:invalid|expired|consumed)|engine_crashed)$/,
        ),
      }),
    });
    expect(failure).not.toMatch(/\\n\s*at |node:internal|\.m?js:\d+/);
    for (const path of [PLUGIN, homedir(), dirname(host.workspaceDir)]) {
      expect(failure.replaceAll(host.workspaceDir, "")).not.toContain(path);
    }
  }
});
