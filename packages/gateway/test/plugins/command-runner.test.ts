import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { createCommandRunner } from "../../src/plugins/command-runner.js";

// A busy machine takes its time for processes and files.
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

describe("a command of a plugin", () => {
  it("gets its input, and tells what it wrote and how it ended", async () => {
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

  it("runs in its folder, with what the plugin adds and nothing that names secrets", async () => {
    const code =
      "console.log(JSON.stringify([process.cwd(), process.env.MINE, process.env.SECRET_TOKEN]))";
    const { stdout } = await run(code, { env: { MINE: "1" } });
    expect(JSON.parse(stdout)).toEqual([import.meta.dirname, "1", null]);
  });

  it("need not read its input", async () => {
    const { termination } = await run("process.exit(0)", { input: "x".repeat(1024 * 1024) });
    expect(termination).toBe("exit");
  });

  it("that writes too much keeps the newest", async () => {
    const code = 'process.stdout.write("a".repeat(9 * 1024 * 1024) + "the end")';
    const { stdout, truncated } = await run(code);
    expect(truncated).toBe(true);
    expect(stdout).toHaveLength(8 * 1024 * 1024);
    expect(stdout.endsWith("the end")).toBe(true);
  });

  it("that was ended by a signal says so", async () => {
    const outcome = await run('process.kill(process.pid, "SIGKILL")');
    expect(outcome).toMatchObject({ code: null, signal: "SIGKILL", termination: "signal" });
  });

  it("ends when its time is up", async () => {
    const outcome = await run("setInterval(() => {}, 1000)", { timeoutMs: 1 });
    expect(outcome).toMatchObject({ termination: "timeout", signal: "SIGTERM" });
  });

  it("ends with all it started when the plugin goes, also what does not wish to", async () => {
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

  it("is not begun once the plugin has gone", async () => {
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(run("", { signal: gone })).rejects.toThrow("gone");
  });

  it("that does not exist is an error", async () => {
    await expect(run("", { command: ["/no/such/program"] })).rejects.toThrow(/ENOENT/);
    await expect(run("", { command: [] })).rejects.toThrow();
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    // One that has ended keeps its number until its end has been asked for.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
