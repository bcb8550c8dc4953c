import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startWorkerScene } from "../../src/worker-scene.js";

vi.setConfig({ testTimeout: 90_000 });

const HAS_BUBBLEWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].some(existsSync);
const PROGRAM = join(import.meta.dirname, "../../../../packages/jobs/test/support/fake-claude.mjs");

describe.skipIf(!HAS_BUBBLEWRAP)("a job with Claude Code (needs bubblewrap)", () => {
  it("[JOB-038] [JOB-045] [JOB-530] works on a copy of the workspace with the model and the policy of the host", async () => {
    const results: string[] = [];
    const scene = await startWorkerScene(
      ({ prompt }) => {
        const last = prompt.at(-1);
        if (last?.role === "tool") results.push(JSON.stringify(last.content));
        const steps = [
          { toolName: "Read", params: { file_path: "/workspace/a.txt" } },
          { toolName: "Bash", params: { command: "cat a.txt > b.txt; echo $ANTHROPIC_BASE_URL" } },
          { toolName: "WebFetch", params: { url: "https://example.com" } },
        ];
        const next = steps[results.length];
        return next === undefined
          ? { text: "copied", usage: { input: 5, output: 2 } }
          : { toolCalls: [next] };
      },
      {
        files: { "a.txt": "content of a\n" },
        claudeCode: { program: PROGRAM },
        tools: { deny: ["web_fetch"] },
      },
    );
    const job = await scene.run("copy a.txt", "claude_code");
    expect(job.reason).toBeUndefined();
    expect(job).toMatchObject({ mode: "claude_code", runtime: "bubblewrap", result: "copied" });
    expect(job.usedTokens).toBeGreaterThan(0);
    expect(results[0]).toContain("content of a");
    expect(results[1]).toContain("http://127.0.0.1:");
    expect(results[2]).toContain("the tool policy of the host does not allow web_fetch");
    const copy = join(scene.folder.path, "state/workers/jobs", job.jobId, "workspace");
    expect(readFileSync(join(copy, "b.txt"), "utf8")).toBe("content of a\n");
    expect(existsSync(join(scene.folder.path, "workspace/b.txt"))).toBe(false);
  });

  it("[JOB-038] [JOB-536] is rejected where Claude Code is missing or too old", async () => {
    const scene = await startWorkerScene(() => ({ text: "" }), {
      claudeCode: { program: "/nonexistent/claude" },
    });
    await expect(scene.run("anything", "claude_code")).rejects.toThrow(
      "this machine cannot run a job with mode claude_code, and it is not run with less separation: the program /nonexistent/claude was not found",
    );
  });
});
