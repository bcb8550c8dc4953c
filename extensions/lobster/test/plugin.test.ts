import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import { lobsterHost, PLUGIN } from "./support/lobster-host.js";

const failed = (type: string, message: unknown = expect.any(String)) => ({
  protocolVersion: 1,
  ok: false,
  error: expect.objectContaining({ type, message }),
});

describe("the tool lobster", () => {
  it("[LOB-001] is offered only when the operator names it", async () => {
    expect(manifest.id).toBe("lobster");
    expect(manifest.contracts.tools).toContain("lobster");
    const offered = async (tools: object) => {
      const host = await createTestHost({ plugin: PLUGIN, config: { tools } as never });
      onTestFinished(() => host.dispose());
      const { text } = await host.callTool("lobster", { action: "run", pipeline: "json" });
      return text.startsWith('{"protocolVersion":1');
    };
    expect(await offered({})).toBe(false);
    expect(await offered({ alsoAllow: ["lobster"] })).toBe(true);
    expect(await offered({ alsoAllow: ["plugin:lobster"] })).toBe(true);
    expect(await offered({ alsoAllow: ["group:plugins"] })).toBe(true);
  });

  it("[LOB-002] [LOB-003] [LOB-005] [LOB-006] answers a wrong request with the field, and runs nothing", async () => {
    const { host, call, run } = await lobsterHost({
      files: { "a.lobster": "steps: []\n", "b.txt": "x", "big.yaml": "#".repeat(262_145) },
      pluginConfig: { maxPipelineChars: 30, timeoutMs: 5000, maxTimeoutMs: 6000 },
    });
    const extra = await host.callTool("lobster", { action: "run", pipeline: "json", more: 1 });
    expect(extra.isError).toBe(true);
    expect(extra.text).toContain("more");
    const wrong: [object, RegExp][] = [
      [{ action: "run" }, /^pipeline: /],
      [{ action: "run", pipeline: "json", filePath: "a.lobster" }, /^filePath: /],
      [{ action: "run", pipeline: "json", args: {}, argsJson: "{}" }, /^argsJson: /],
      [{ action: "run", pipeline: "json", argsJson: "[1]" }, /^argsJson: /],
      [{ action: "run", pipeline: "json", approve: true }, /^approve: /],
      [{ action: "run", pipeline: `json ${"x".repeat(40)}` }, /^pipeline: .*at most 30/],
      [{ action: "resume", approve: true }, /^token: /],
      [{ action: "resume", token: "a", approvalId: "b", approve: true }, /^approvalId: /],
      [{ action: "resume", token: "a" }, /^approve: /],
      [{ action: "resume", token: "a", approve: true, response: 1 }, /^approve: /],
      [{ action: "resume", token: "a", cancel: false }, /^cancel: /],
      [{ action: "run", pipeline: "json", cwd: "missing" }, /^cwd: /],
      [{ action: "run", pipeline: "json", cwd: "b.txt" }, /^cwd: /],
      [{ action: "run", filePath: "b.txt" }, /^filePath: /],
      [{ action: "run", filePath: "missing.yaml" }, /^filePath: /],
      [{ action: "run", filePath: "big.yaml" }, /^filePath: .*262144/],
      [{ action: "run", filePath: "a.lobster" }, /^a\.lobster:1: .*steps/],
    ];
    const outside = join(tmpdir(), `outside-${process.pid}`);
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "evil.yaml"), "steps: [{id: a, run: id}]");
    symlinkSync(outside, join(host.workspaceDir, "link"));
    wrong.push(
      [{ action: "run", pipeline: "json", cwd: "link" }, /^cwd: .*workspace/],
      [{ action: "run", filePath: "link/evil.yaml" }, /^filePath: .*workspace/],
    );
    for (const [params, message] of wrong) {
      expect(await call({ ...params }), JSON.stringify(params)).toEqual(
        failed("parse_error", expect.stringMatching(message)),
      );
    }
    const clamped = await run("json", { timeoutMs: 99_999, maxStdoutBytes: 99_999_999 });
    expect(clamped).toMatchObject({ ok: true, status: "ok" });
    expect(clamped.ok && clamped.warnings).toEqual([
      expect.stringContaining("timeoutMs 99999"),
      expect.stringContaining("maxStdoutBytes 99999999"),
    ]);
  });

  it("[LOB-007] [LOB-008] [LOB-009] answers with an envelope, also for a failure", async () => {
    const { host } = await lobsterHost({ answer: "allow-once" });
    const good = await host.callTool("lobster", { action: "run", pipeline: "exec echo hello" });
    const envelope = {
      protocolVersion: 1,
      ok: true,
      status: "ok",
      output: ["hello"],
      requiresApproval: null,
      requiresInput: null,
    };
    expect(good).toMatchObject({ isError: false, details: envelope });
    expect(JSON.parse(good.text)).toEqual(envelope);
    const bad = await host.callTool("lobster", { action: "run", pipeline: "nope | json" });
    expect(bad.isError).toBe(true);
    expect(JSON.parse(bad.text)).toEqual(failed("runtime_error", "Unknown command: nope"));
    expect(bad.details).toEqual(JSON.parse(bad.text));
    const unclosed = await host.callTool("lobster", { action: "run", pipeline: "exec 'a" });
    expect(JSON.parse(unclosed.text)).toEqual(failed("parse_error"));
  });
});

describe("a run", () => {
  it("[LOB-012] [LOB-013] calls tools on the path of all calls, with the call that made them", async () => {
    const seen: unknown[] = [];
    const guard = {
      id: "guard",
      register(api: { on: (...given: unknown[]) => void }) {
        api.on(
          "before_tool_call",
          (event: { toolName: string; params: unknown }, context: Record<string, unknown>) => {
            const { parentToolCallId, parentStepId, callDepth } = context;
            seen.push({ tool: event.toolName, parentToolCallId, parentStepId, callDepth });
            return event.toolName === "exec" && JSON.stringify(event.params).includes("forbidden")
              ? { block: true, blockReason: "not this one" }
              : undefined;
          },
        );
      },
    };
    const { host, run, call } = await lobsterHost({
      answer: "allow-once",
      neighbours: [guard as never],
      tools: { deny: ["http"] },
      files: {
        "flow.yaml":
          'steps:\n  - id: say\n    run: printf \'{"a":1}\'\n  - id: next\n    pipeline: openclaw.invoke --tool echo --args-json \'{"message":"$say.json.a"}\'\n',
      },
    });
    expect(await run("exec echo forbidden")).toEqual(
      failed("denied", expect.stringContaining("not this one")),
    );
    const denied = await run(
      'openclaw.invoke --tool http --args-json \'{"url":"https://example.org"}\'',
    );
    expect(denied).toEqual(failed("denied", expect.stringMatching(/decision [\w-]+/)));
    seen.length = 0;
    expect(await call({ action: "run", filePath: "flow.yaml" })).toMatchObject({
      ok: true,
      status: "ok",
    });
    const [outer, first, second] = seen as { tool: string; parentToolCallId?: string }[];
    expect(outer).toEqual({ tool: "lobster", callDepth: 0 });
    expect(first).toMatchObject({ tool: "exec", parentStepId: "say", callDepth: 1 });
    expect(second).toMatchObject({ tool: "echo", parentStepId: "next", callDepth: 1 });
    expect(first?.parentToolCallId).toMatch(/^call-/);
    // Each command was shown to the approver.
    expect(host.questions.map(({ tool }) => tool)).toEqual(["exec"]);
  });

  it("[LOB-013] does not run what an approver denies", async () => {
    const { host, run } = await lobsterHost({ answer: "deny" });
    expect(await run("exec touch made | json")).toEqual(failed("denied"));
    expect(host.questions).toHaveLength(1);
  });

  it("[LOB-016] reports an output that is too large as a failure, never as a success", async () => {
    const { run } = await lobsterHost({ answer: "allow-once" });
    const emitted = await run("exec seq 1 3000", { maxStdoutBytes: 2000 });
    expect(emitted).toEqual(failed("output_limit"));
    const lost = await run("exec seq 1 30000", { maxStdoutBytes: 400_000 });
    expect(lost).toEqual(failed("runtime_error", expect.stringContaining("64 KiB")));
  });

  it("[LOB-021] keeps values of its session, and removes them with it", async () => {
    const { host, run } = await lobsterHost({ answer: "allow-once" });
    await host.turn("hello");
    const seed = "exec --json echo '{\"n\":1}'";
    await run(`${seed} | state.set counter`);
    await run(`${seed} | state.set shared.counter`);
    expect(await run("state.get counter")).toMatchObject({ output: [{ n: 1 }] });
    expect(await run(`${seed} | diff.last --key seen`)).toMatchObject({
      output: [expect.objectContaining({ changed: true })],
    });
    expect(await run(`${seed} | diff.last --key seen`)).toMatchObject({
      output: [expect.objectContaining({ changed: false })],
    });
    await host.runCommand("/reset");
    expect(await run("state.get counter")).toMatchObject({ output: [null] });
    expect(await run("state.get shared.counter")).toMatchObject({ output: [{ n: 1 }] });
  });
});
