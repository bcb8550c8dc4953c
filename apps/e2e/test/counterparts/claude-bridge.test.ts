import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startWorkerScene } from "../../src/worker-scene.js";

vi.setConfig({ testTimeout: 120_000 });

const HAS_BUBBLEWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].some(existsSync);
const PROGRAM = join(
  import.meta.dirname,
  "../../../../tools/counterparts/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
);

describe.skipIf(!HAS_BUBBLEWRAP)("the bridge with the real Claude Code (needs bubblewrap)", () => {
  it("[JOB-045] [JOB-530] [JOB-531] [JOB-532] [JOB-533] asks the host about each call, those that Claude Code allows by itself too", async () => {
    const results: string[] = [];
    const offered: (readonly string[])[] = [];
    const calls = [
      // Claude Code allows it by itself.
      { toolName: "Read", params: { file_path: "/workspace/a.txt" } },
      { toolName: "Bash", params: { command: "cp a.txt b.txt && echo copied", description: "x" } },
      { toolName: "Bash", params: { command: "echo $((40+2)) > c.txt", description: "denied" } },
    ];
    const scene = await startWorkerScene(
      ({ prompt, tools = [] }) => {
        offered.push(tools.map(({ name }) => name));
        const last = prompt.at(-1);
        if (last?.role === "tool") results.push(JSON.stringify(last.content));
        const next = calls[results.length];
        return next === undefined ? { text: "all done" } : { toolCalls: [next] };
      },
      { files: { "a.txt": "content of a\n" }, claudeCode: { program: PROGRAM } },
    );
    const job = await scene.run("copy a.txt", "claude_code");
    expect(job.reason).toBeUndefined();
    expect(job).toMatchObject({ mode: "claude_code", result: "all done" });
    expect(results[0]).toContain("content of a");
    expect(results[1]).toContain("copied");
    // Its own schedules and background shells are not offered.
    expect(offered[0]).toContain("Bash");
    for (const name of ["CronCreate", "ScheduleWakeup", "Monitor", "BashOutput", "KillShell"]) {
      expect(offered.flat()).not.toContain(name);
    }
    const copy = join(scene.folder.path, "state/workers/jobs", job.jobId, "workspace");
    expect(readFileSync(join(copy, "b.txt"), "utf8")).toBe("content of a\n");
    const shown = scene.events.map(({ payload }) => JSON.stringify(payload)).join("\n");
    expect(shown).not.toContain("unknown line");
  });

  it("[JOB-532] obeys the policy of the host", async () => {
    const results: string[] = [];
    const scene = await startWorkerScene(
      ({ prompt }) => {
        const last = prompt.at(-1);
        if (last?.role === "tool") results.push(JSON.stringify(last.content));
        return results.length > 0
          ? { text: "not allowed" }
          : { toolCalls: [{ toolName: "Read", params: { file_path: "/workspace/a.txt" } }] };
      },
      { files: { "a.txt": "hidden" }, claudeCode: { program: PROGRAM }, tools: { deny: ["read"] } },
    );
    const job = await scene.run("read a.txt", "claude_code");
    expect(job.result ?? job.reason).toBe("not allowed");
    expect(results[0]).toContain("the tool policy of the host does not allow read");
    expect(results[0]).not.toContain("hidden");
  });
});
