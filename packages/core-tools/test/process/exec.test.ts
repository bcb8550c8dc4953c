import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import type { ToolOutput, ToolResult } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { type CoreToolOptions, createCoreTools } from "../../src/core-tools.js";
import { type CallOptions, callTool, refusalOf, textOf } from "../support/call-tool.js";

const ENVIRONMENT = { PATH: process.env.PATH, HOME: "/home/agent", LANG: "C.UTF-8" };

function execIn(tree: TemporaryWorkspace, options: Partial<CoreToolOptions> = {}) {
  const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, ...options });
  return (command: string, params: Record<string, unknown> = {}, call: CallOptions = {}) =>
    callTool(tools, "exec", { command, ...params }, call);
}

/** Resolves when the child process has written this file, which signals that it is ready. */
async function written(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text.endsWith("\n")) return text.trim();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isRunning(pid: string): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

describe("exec", () => {
  it("[TURN-059] returns output, exit code and duration", async () => {
    const tree = await temporaryWorkspace();
    const result = await execIn(tree)("echo häy; echo oops >&2; exit 3");

    expect(result.isError).toBeUndefined();
    expect(result.details).toEqual({
      output: expect.stringMatching(/häy\n/),
      exitCode: 3,
      durationMs: expect.any(Number),
      sandboxed: false,
    });
    expect(textOf(result)).toContain("oops\n");
    expect(textOf(result)).toMatch(/\[Exit code 3 after \d+ ms\.\]$/);
  });

  it("reports empty output", async () => {
    const tree = await temporaryWorkspace();
    expect(textOf(await execIn(tree)("true"))).toMatch(/^\[Exit code 0 .* no output\.\]$/);
  });

  it("runs in the workspace, or in a folder inside it", async () => {
    const tree = await temporaryWorkspace();
    const inner = await tree.folder("workspace/inner");
    const exec = execIn(tree);
    expect((await exec("pwd")).details).toMatchObject({ output: `${tree.workspaceDir}\n` });
    expect((await exec("pwd", { workdir: "inner" })).details).toMatchObject({
      output: `${inner}\n`,
    });
  });

  it("rejects a workdir that is outside, missing or a file", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/file.txt");
    await tree.folder("outside");
    await symlink(join(tree.base, "outside"), join(tree.workspaceDir, "out"));
    const exec = execIn(tree);
    refusalOf(await exec("pwd", { workdir: ".." }), "outside-workspace");
    refusalOf(await exec("pwd", { workdir: "out" }), "outside-workspace");
    refusalOf(await exec("pwd", { workdir: "none" }), "not-found");
    refusalOf(await exec("pwd", { workdir: "file.txt" }), "wrong-kind");
  });

  it("uses bash when PATH has one, and sh otherwise", async () => {
    const tree = await temporaryWorkspace();
    const bash = await execIn(tree)("echo $BASH");
    expect(bash.details).toMatchObject({ output: expect.stringMatching(/\/bash\n$/) });
    const sh = await execIn(tree, { environment: { PATH: "/none:relative" } })("echo $BASH");
    expect(sh.details).toMatchObject({
      exitCode: 0,
      output: expect.not.stringMatching(/\/bash\n$/),
    });
  });

  it("closes standard input", async () => {
    const tree = await temporaryWorkspace();
    expect((await execIn(tree)("cat; echo end")).details).toMatchObject({ output: "end\n" });
  });

  it("names the signal that ended the command", async () => {
    const tree = await temporaryWorkspace();
    const result = await execIn(tree)("kill -KILL $$");
    expect(result.details).toMatchObject({ exitCode: null });
    expect(textOf(result)).toContain("Ended by signal SIGKILL");
  });

  it("[TURN-059] keeps head and tail of a long output within 64 KiB", async () => {
    const tree = await temporaryWorkspace();
    const result = await execIn(tree)(
      "echo first; seq 1 100000; printf 'ü%.0s' $(seq 1 50); echo last",
    );
    const text = textOf(result);
    expect(text).toMatch(/^first\n1\n2\n/);
    expect(text).toMatch(/ü{50}last\n\n\[Exit code 0/);
    expect(text).toMatch(/\[… \d+ bytes of output left out here …\]/);
    const { output } = result.details as { output: string };
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64 * 1024);
  });

  it("keeps output that is not text within 64 KiB too", async () => {
    const tree = await temporaryWorkspace();
    const result = await execIn(tree)("head -c 300000 /dev/zero | tr '\\0' '\\377'");
    const { output } = result.details as { output: string };
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.byteLength(output)).toBeGreaterThan(60 * 1024);
  });

  it("reports progress while the command runs", async () => {
    const tree = await temporaryWorkspace();
    let running: Promise<ToolResult> | undefined;
    const first = await new Promise<ToolOutput>((resolve) => {
      const command = "echo ready; while [ ! -e go ]; do sleep 0.01; done";
      running = execIn(tree)(command, {}, { onUpdate: resolve });
    });
    expect(first).toEqual({ content: [{ type: "text", text: "ready\n" }] });
    await tree.file("workspace/go");
    expect((await running)?.details).toMatchObject({ exitCode: 0 });
  });
});

describe("end of an exec command", () => {
  it("stops the whole process group at the timeout and keeps its output", async () => {
    const tree = await temporaryWorkspace();
    const result = await execIn(tree)(
      "echo partial; sleep 300 & echo $! > child; sleep 300; echo never",
      { timeoutMs: 400 },
    );
    expect(result.isError).toBe(true);
    expect(result.details).toMatchObject({ output: "partial\n", exitCode: null });
    expect(textOf(result)).toContain("Stopped after 400 ms");
    expect(isRunning(await written(join(tree.workspaceDir, "child")))).toBe(false);
  });

  it("stops the whole process group when the call is aborted", async () => {
    const tree = await temporaryWorkspace();
    const controller = new AbortController();
    const running = execIn(tree)(
      "(sleep 300 & echo $! > child; wait)",
      {},
      { signal: controller.signal },
    );
    const child = await written(join(tree.workspaceDir, "child"));
    expect(isRunning(child)).toBe(true);
    controller.abort(new Error("interrupted"));
    await expect(running).rejects.toThrow("interrupted");
    expect(isRunning(child)).toBe(false);
  });

  it("starts nothing when the call is already aborted", async () => {
    const tree = await temporaryWorkspace();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(execIn(tree)("touch started", {}, { signal })).rejects.toThrow("too late");
    expect(existsSync(join(tree.workspaceDir, "started"))).toBe(false);
  });

  it("kills processes that ignore the first signal", async () => {
    const tree = await temporaryWorkspace();
    const result = await execIn(tree)("trap '' TERM; echo $$ > child; while :; do sleep 1; done", {
      timeoutMs: 300,
    });
    expect(textOf(result)).toContain("Stopped after 300 ms");
    expect(isRunning(await written(join(tree.workspaceDir, "child")))).toBe(false);
  }, 10_000);

  it("stops leftover processes of a command, with a notice", async () => {
    const tree = await temporaryWorkspace();
    const exec = execIn(tree);
    const quiet = await exec("sleep 300 >/dev/null 2>&1 & echo $! > quiet");
    expect(textOf(quiet)).toContain("left in the background were stopped");
    expect(isRunning(await written(join(tree.workspaceDir, "quiet")))).toBe(false);

    const loud = await exec("sleep 300 & echo $! > loud; echo done");
    expect(loud.details).toMatchObject({ output: "done\n", exitCode: 0 });
    expect(isRunning(await written(join(tree.workspaceDir, "loud")))).toBe(false);
  });
});

describe("environment of an exec command", () => {
  it("[TURN-059] contains none of the host's tokens and keys", async () => {
    const tree = await temporaryWorkspace();
    const environment = {
      ...ENVIRONMENT,
      OPENCLAW_GATEWAY_TOKEN: "gateway-token-value",
      ANTHROPIC_API_KEY: "provider-key-value",
      LD_PRELOAD: "",
      NODE_OPTIONS: "--no-warnings",
      MY_SETTING: "wanted",
    };
    const exec = execIn(tree, { environment, passEnvironment: ["MY_SETTING"] });
    const { output } = (await exec("env", { env: { EXTRA: "yes" } })).details as {
      output: string;
    };
    const names = output.split("\n").map((line) => line.split("=", 1)[0]);
    expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "LANG", "MY_SETTING", "EXTRA"]));
    expect(names).not.toContain("LD_PRELOAD");
    expect(names).not.toContain("NODE_OPTIONS");
    expect(output).not.toMatch(/TOKEN|KEY|-value/);
  });

  it.each(["LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV", "OPENAI_API_KEY"])(
    "rejects %s from the call",
    async (name) => {
      const tree = await temporaryWorkspace();
      const result = await execIn(tree)("touch started", { env: { [name]: "x" } });
      expect(refusalOf(result, "forbidden-variable")).toContain(name);
      expect(existsSync(join(tree.workspaceDir, "started"))).toBe(false);
    },
  );
});

describe("rejected exec commands", () => {
  it("[TURN-059] name the state folder", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("state/secret.db", "secret");
    const refusal = refusalOf(await execIn(tree)("cat ../state/secret.db"), "outside-workspace");
    expect(refusal).toContain('"../state/secret.db" is outside the workspace');
  });

  it("are too long for the system, or contain NUL", async () => {
    const tree = await temporaryWorkspace();
    const exec = execIn(tree);
    expect((await exec(`: ${"x".repeat(119_000)}`)).details).toMatchObject({ exitCode: 0 });
    refusalOf(await exec(`: ${"x".repeat(120_000)}`), "too-large");
    refusalOf(await exec("echo a\0b"), "invalid-value");
  });

  it("have more variables than the system takes", async () => {
    const tree = await temporaryWorkspace();
    const env = { BIG: "x".repeat(200_000) };
    const result = await execIn(tree)("true", { env });
    expect(textOf(result)).toContain("the command and its variables are too long together");
  });
});
