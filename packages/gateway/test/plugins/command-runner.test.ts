import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { createCommandRunner } from "../../src/plugins/command-runner.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;

function run(
  code: string,
  more: Partial<Parameters<ReturnType<typeof createCommandRunner>>[1]> = {},
) {
  const runner = createCommandRunner({ PATH: process.env.PATH, SECRET_TOKEN: "s3cret" });
  return runner("guard", {
    command: [process.execPath, "-e", code],
    cwd: import.meta.dirname,
    timeoutMs: 60_000,
    signal: never,
    ...more,
  });
}

describe("createCommandRunner", () => {
  it("passes input to a command, and returns its output and exit status", async () => {
    const code = `
      process.stdin.on("data", (text) => process.stdout.write(String(text).toUpperCase()));
      process.stdin.on("end", () => { console.error("done"); process.exitCode = 3; });
    `;
    expect(await run(code, { input: "hello" })).toEqual({
      stdout: "HELLO",
      stderr: "done\n",
      truncated: false,
      code: 3,
      signal: null,
      termination: "exit",
    });
  });

  it("runs a command in its folder, with the plugin's variables and without secrets", async () => {
    const code =
      "console.log(JSON.stringify([process.cwd(), process.env.MINE, process.env.SECRET_TOKEN]))";
    const { stdout } = await run(code, { env: { MINE: "1" } });
    expect(JSON.parse(stdout)).toEqual([import.meta.dirname, "1", null]);
  });

  it("allows a command that does not read its input", async () => {
    const { termination } = await run("process.exit(0)", { input: "x".repeat(1024 * 1024) });
    expect(termination).toBe("exit");
  });

  it("keeps the newest output of a command that writes too much", async () => {
    const code = 'process.stdout.write("a".repeat(9 * 1024 * 1024) + "the end")';
    const { stdout, truncated } = await run(code);
    expect(truncated).toBe(true);
    expect(stdout).toHaveLength(8 * 1024 * 1024);
    expect(stdout.endsWith("the end")).toBe(true);
  });

  it("reports the signal that ended a command", async () => {
    const outcome = await run('process.kill(process.pid, "SIGKILL")');
    expect(outcome).toMatchObject({ code: null, signal: "SIGKILL", termination: "signal" });
  });

  it("ends a command at its deadline", async () => {
    const outcome = await run("setInterval(() => {}, 1000)", { timeoutMs: 1 });
    expect(outcome).toMatchObject({ termination: "timeout", signal: "SIGTERM" });
  });

  it("kills a command and its child processes when the plugin is unloaded", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "pid");
    const child = `
      process.on("SIGTERM", () => {});
      require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid));
      setInterval(() => {}, 1000);
    `;
    const code = `
      const { spawn } = require("node:child_process");
      spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "ignore" });
      setInterval(() => {}, 1000);
    `;
    const leaving = new AbortController();
    const running = run(code, { signal: leaving.signal });
    await vi.waitFor(() => expect(readFileSync(file, "utf8")).toMatch(/^\d+$/), 30_000);
    leaving.abort();
    expect(await running).toMatchObject({ termination: "aborted" });
    const isGone = () => expect(isRunning(Number(readFileSync(file, "utf8")))).toBe(false);
    await vi.waitFor(isGone, 30_000);
  });

  it("ends a command that writes more than its maximum, and keeps the beginning", async () => {
    const code = 'setInterval(() => process.stdout.write("x".repeat(60_000)), 1)';
    const outcome = await run(code, { maxOutputBytes: 100_000 });
    expect(outcome).toMatchObject({ termination: "output-limit", truncated: true });
    expect(outcome.stdout.length).toBeLessThanOrEqual(100_000);
    expect(await run('console.log("ok")', { maxOutputBytes: 3 })).toMatchObject({
      ...{ termination: "exit", stdout: "ok\n", truncated: false },
    });
  });

  it.each([
    ["its group", false],
    ["a session of its own", true],
  ])(
    "returns when a command ends, although a process in %s keeps its output open",
    async (_place, detached) => {
      const child = "setInterval(() => {}, 1000)";
      const code = `
      const { spawn } = require("node:child_process");
      const left = spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit", detached: ${detached} });
      left.unref();
      console.log(left.pid);
    `;
      const { stdout, termination } = await run(code);
      expect(termination).toBe("exit");
      const pid = Number(stdout);
      if (detached) process.kill(pid, "SIGKILL");
      await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 30_000);
    },
  );

  it("does not start a command after the plugin was unloaded", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(run("", { signal: gone })).rejects.toThrow("gone");
  });

  it("rejects a command that does not exist", async () => {
    await expect(run("", { command: ["/no/such/program"] })).rejects.toThrow(/ENOENT/);
    await expect(run("", { command: [] })).rejects.toThrow();
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    // An ended process keeps its ID until its parent has read its exit status.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
