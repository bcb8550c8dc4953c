import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { WorkspacePaths } from "../../src/files/workspace-paths.js";
import type { ExecAuthorization } from "../../src/process/authorization.js";
import { BackgroundProcesses } from "../../src/process/background-processes.js";
import { createExecTools } from "../../src/process/exec.js";
import { Sandbox, type SandboxRuntime } from "../../src/process/sandbox.js";
import { callTool, refusalOf } from "../support/call-tool.js";
import { resolvedCommand } from "../support/resolved-command.js";

const ENVIRONMENT = { PATH: process.env.PATH ?? "" };

/** A runtime whose sandbox is a wrapper command; what it was asked for is kept. */
function runtime(
  wrapper: string,
): SandboxRuntime & { readonly rules: unknown[]; readonly cleaned: number } {
  const rules: unknown[] = [];
  let cleaned = 0;
  return {
    rules,
    get cleaned() {
      return cleaned;
    },
    initialize: async () => {},
    cleanupAfterCommand() {
      cleaned += 1;
    },
    async wrapWithSandbox(command, _shell, asked) {
      rules.push(asked);
      return `${wrapper} sh -c '${command.replaceAll("'", "'\\''")}'`;
    },
  };
}

async function execIn(load: () => Promise<SandboxRuntime>) {
  const tree = await temporaryWorkspace();
  const reach = { folders: [tree.workspaceDir], stateDir: tree.stateDir };
  const tools = createExecTools({
    paths: new WorkspacePaths(tree),
    environment: () => ENVIRONMENT,
    processes: new BackgroundProcesses(),
    sandbox: new Sandbox(reach, ENVIRONMENT, load),
  });
  return {
    tree,
    exec: (
      command: string,
      params: Record<string, unknown> = {},
      authorization: ExecAuthorization = { run: "shell" },
    ) => callTool([tools], "exec", { command, ...params }, { authorization }),
  };
}

describe("commands that require a sandbox", () => {
  it("[TURN-059] are rejected with installation help when no sandbox is available", async () => {
    const { exec, tree } = await execIn(() => Promise.reject(new Error("it is not installed")));
    await tree.file("workspace/a");
    for (const background of [false, true]) {
      const refusal = refusalOf(await exec("rm a", { background }), "no-sandbox");
      expect(refusal).toContain("it is not installed");
      expect(refusal).toContain("npm install @anthropic-ai/sandbox-runtime");
      expect(refusal).toContain("bubblewrap, socat and ripgrep");
    }
    expect(await readdir(tree.workspaceDir)).toEqual(["a"]);
  });

  it("[TURN-059] never run outside it", async () => {
    const tree = await temporaryWorkspace();
    const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "required" });
    const { details } = await callTool(tools, "exec", { command: "true" });
    expect([{ reason: "no-sandbox" }, expect.objectContaining({ sandboxed: true })]).toContainEqual(
      details,
    );
  });

  it("[APPR-038] run git with the authorized settings", async () => {
    const { exec, tree } = await execIn(async () => runtime(""));
    const { workspaceDir } = tree;
    execFileSync("git", ["init", "-q"], { cwd: workspaceDir });
    execFileSync("git", ["config", "core.fsmonitor", "touch made"], { cwd: workspaceDir });
    const folder = join(workspaceDir, ".git");
    const settings = '[remote "origin"]\n\turl = https://example.com/it\'s\n';
    const repository = {
      folder,
      sharedFolder: folder,
      workTree: workspaceDir,
      settings,
      ignored: "",
    };
    const run = async (...words: string[]) => {
      const program = { program: "git", arguments: words, redirections: [], repository };
      const command = resolvedCommand({ pipelines: [{ after: ";", programs: [program] }] });
      return (await exec("git", {}, { run: "parsed", command })).details;
    };
    expect(await run("remote", "-v")).toMatchObject({
      output: expect.stringContaining("https://example.com/it's (fetch)"),
    });
    expect(await run("status", "--short")).toMatchObject({ exitCode: 0, sandboxed: true });
    expect(await readdir(workspaceDir)).toEqual([".git"]);
  });

  it("run inside it after a successful probe, with a notice", async () => {
    const loaded = runtime("env INSIDE=yes");
    const { exec, tree } = await execIn(async () => loaded);
    const result = await exec("echo $INSIDE");
    expect(result.details).toMatchObject({ output: "yes\n", sandboxed: true });
    const rules = {
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: {
        denyRead: [tree.stateDir],
        allowRead: [],
        allowWrite: [tree.workspaceDir],
        denyWrite: [tree.stateDir],
      },
    };
    expect(loaded.rules).toEqual([rules, rules]);
    expect(loaded.cleaned).toBe(2);
  });

  it.each([
    ["fails", "false"],
    ["says nothing", "true"],
  ])("[TURN-059] are rejected when the probe %s", async (_name, wrapper) => {
    const { exec } = await execIn(async () => runtime(wrapper));
    expect(refusalOf(await exec("echo x"), "no-sandbox")).toContain("a probe ended");
  });

  it("run once the sandbox has been installed", async () => {
    let installed = false;
    const { exec } = await execIn(async () => {
      if (!installed) throw new Error("not installed");
      return runtime("env");
    });
    expect(refusalOf(await exec("echo x"), "no-sandbox")).toContain("not installed");
    installed = true;
    expect((await exec("echo x")).details).toMatchObject({ output: "x\n" });
  });
});
