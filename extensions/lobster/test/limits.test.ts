import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolFactoryContext } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { lobsterHost } from "./support/lobster-host.js";

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const failed = (type: string, message: unknown = expect.any(String)) =>
  expect.objectContaining({ ok: false, error: expect.objectContaining({ type, message }) });

/** Two steps that ask a model. */
const asks = (limit: string) => `${limit}steps:
  - id: first
    pipeline: llm.invoke --prompt one --model scripted/model --disable-cache
  - id: second
    pipeline: llm.invoke --prompt two --model scripted/model --disable-cache
`;

const USAGE = { input: 100_000, output: 100_000 };

describe("the tool in a sandboxed session", () => {
  it("[LOB-004] does not exist, unless the operator allows it", async () => {
    const made = async (allowSandboxed: boolean, sandboxed: boolean) => {
      const { host } = await lobsterHost({ pluginConfig: { allowSandboxed } });
      const [registration] = host.registrations.tools;
      const context = {
        sandboxed,
        sessionKey: "agent:main:main",
        agentId: "main",
        workspaceDir: host.workspaceDir,
        requester: { channel: "a", channelId: "b", senderId: "c", senderIsOwner: true },
        callTool: async () => ({ status: "ok", toolCallId: "x", content: [] }),
      } as unknown as ToolFactoryContext;
      if (typeof registration?.tool !== "function") throw new Error("expected a factory");
      const tools = await registration.tool(context);
      return tools === null ? null : [tools].flat().map(({ name }) => name);
    };
    expect(await made(false, true)).toBeNull();
    expect(await made(false, false)).toEqual(["lobster", "llm_task"]);
    expect(await made(true, true)).toEqual(["lobster", "llm_task"]);
  });
});

describe("steps that ask a model", () => {
  it("[LOB-020] end at the cost limit of the workflow, before the next step", async () => {
    const { host, call } = await lobsterHost({
      answer: "allow-once",
      model: [{ text: "hello" }, { text: "one", usage: USAGE }, { text: "two" }],
      pluginConfig: { pricing: { "scripted/model": { input: 1, output: 1 } } },
      files: { "ask.yaml": asks("cost_limit: { max_usd: 0.1, action: stop }\n") },
    });
    await host.turn("hi");
    const stopped = await call({ action: "run", filePath: "ask.yaml" });
    expect(stopped).toEqual(failed("runtime_error", expect.stringContaining("cost limit reached")));
    expect(host.modelRequests).toHaveLength(2);
  });

  it("[LOB-020] end at the budget of the session, before the next step", async () => {
    const { host, call } = await lobsterHost({
      answer: "allow-once",
      config: { session: { budget: { maxTokens: 150_000 } } } as never,
      model: [{ text: "hello" }, { text: "one", usage: USAGE }, { text: "two" }],
      files: { "ask.yaml": asks("") },
    });
    await host.turn("hi");
    const stopped = await call({ action: "run", filePath: "ask.yaml" });
    expect(stopped).toEqual(failed("runtime_error", expect.stringMatching(/budget/i)));
    expect(host.modelRequests).toHaveLength(2);
  });
});

describe("a workflow", () => {
  it("[LOB-019] follows its policies for errors, branches and included files", async () => {
    const { call } = await lobsterHost({
      answer: "allow-once",
      files: {
        "part.yaml":
          "args: { who: { default: x } }\nsteps:\n  - { id: p, run: 'echo part $LOBSTER_ARG_WHO' }\n",
        "all.yaml": `args: { name: { default: Ada } }
steps:
  - { id: broken, run: exit 3, on_error: continue }
  - id: both
    parallel:
      branches:
        - { id: left, run: echo left }
        - { id: right, pipeline: exec echo right }
  - { id: part, workflow: part.yaml, workflow_args: { who: "\${name}" } }
  - { id: skipped, run: echo never, when: $broken.json == "x" }
  - { id: last, run: 'echo "$A $B $C"', env: { A: $left.stdout, B: $part.stdout, C: $broken.error } }
`,
        "skip.yaml":
          "steps:\n  - { id: a, run: echo a }\n  - { id: b, run: exit 1, on_error: skip_rest }\n  - { id: c, run: echo c }\n",
        "slow.yaml": "steps:\n  - { id: slow, run: sleep 20, timeout_ms: 200 }\n",
      },
    });
    const run = (filePath: string, args: object = {}) => call({ action: "run", filePath, args });
    const all = await run("all.yaml", { name: "Bob" });
    expect(all).toMatchObject({
      ok: true,
      output: [expect.stringMatching(/left\s+part Bob\s+true/)],
    });
    expect(await run("skip.yaml")).toMatchObject({ ok: true, output: ["a\n"] });
    expect(await run("slow.yaml")).toEqual(
      failed("runtime_error", expect.stringContaining("slow")),
    );
    expect(await run("all.yaml", { name: "'; touch injected; '" })).toMatchObject({ ok: true });
  });

  it("[LOB-015] ends with the processes of a command that never ends, or prints without end", async () => {
    const { host, run } = await lobsterHost({ answer: "allow-once" });
    for (const command of ["sleep 600", "yes"]) {
      const pipeline = `exec --shell 'echo $$ > pid; exec ${command}'`;
      const ended = await run(pipeline, { timeoutMs: 1000 });
      expect(ended).toEqual(failed("timeout", expect.stringContaining("1000 ms")));
      expect(ended).toMatchObject({ error: { step: "exec" } });
      const pid = Number(readFileSync(join(host.workspaceDir, "pid"), "utf8"));
      await expect.poll(() => isRunning(pid)).toBe(false);
    }
  });

  it("[LOB-016] ends when a stage emits more items than are allowed", async () => {
    const { run } = await lobsterHost({ answer: "allow-once", pluginConfig: { maxItems: 5 } });
    expect(await run("exec seq 1 6")).toEqual(
      failed("output_limit", expect.stringContaining("5 items")),
    );
  });

  it("[LOB-016] fails at a command whose output is shortened, and no later step sees a part of it", async () => {
    const { host, call } = await lobsterHost({
      answer: "allow-once",
      files: {
        "many.yaml":
          "steps:\n  - { id: many, run: seq 1 30000 }\n  - { id: count, run: wc -l > count, stdin: $many.stdout }\n",
        "on.yaml":
          "steps:\n  - { id: many, run: seq 1 30000, on_error: continue }\n  - { id: said, run: 'echo \"$E\"', env: { E: $many.error } }\n",
      },
    });
    const run = (filePath: string) => call({ action: "run", filePath, maxStdoutBytes: 400_000 });
    expect(await run("many.yaml")).toEqual(
      failed("runtime_error", expect.stringContaining("64 KiB")),
    );
    expect(existsSync(join(host.workspaceDir, "count"))).toBe(false);
    expect(await run("on.yaml")).toMatchObject({ ok: true, output: [true] });
  });

  it("reports steps with an effect to the clients of the turn", async () => {
    const { host } = await lobsterHost({
      answer: "allow-once",
      model: [
        {
          toolCalls: [
            {
              toolName: "lobster",
              params: { action: "run", pipeline: "exec echo a | head --n 1" },
            },
          ],
        },
        { text: "done" },
      ],
    });
    const { events } = await host.turn("run it");
    // The clock of the test stands still, so the host passes on the first update only.
    const [update] = events.flatMap((event) => (event.type === "tool-update" ? [event.text] : []));
    expect(JSON.parse(update ?? "")).toEqual({ step: "exec", status: "started", ms: 0 });
    expect(JSON.stringify(host.modelRequests[1])).toContain('\\"output\\":[\\"a\\"]');
  });
});
