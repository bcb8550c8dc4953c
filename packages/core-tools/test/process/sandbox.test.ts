import { readdir } from "node:fs/promises";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { WorkspacePaths } from "../../src/files/workspace-paths.js";
import { BackgroundProcesses } from "../../src/process/background-processes.js";
import { createExecTools } from "../../src/process/exec.js";
import { Sandbox, type SandboxRuntime } from "../../src/process/sandbox.js";
import { callTool, refusalOf } from "../support/call-tool.js";

const ENVIRONMENT = { PATH: process.env.PATH ?? "" };

/** A runtime whose sandbox is a wrapper command; what it was asked for is kept. */
function runtime(wrapper: string): SandboxRuntime & { rules: unknown[] } {
  const rules: unknown[] = [];
  return {
    rules,
    initialize: async () => {},
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
    environment: ENVIRONMENT,
    processes: new BackgroundProcesses(),
    sandbox: new Sandbox(reach, ENVIRONMENT, load),
  });
  return {
    tree,
    exec: (command: string, params: Record<string, unknown> = {}) =>
      callTool([tools], "exec", { command, ...params }),
  };
}

describe("commands that must run in a sandbox", () => {
  it("[TURN-059] are refused, with how to install one, where there is none", async () => {
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

  it("[TURN-059] never run outside it, whatever the machine has", async () => {
    const tree = await temporaryWorkspace();
    const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "required" });
    const { details } = await callTool(tools, "exec", { command: "true" });
    expect([{ reason: "no-sandbox" }, expect.objectContaining({ sandboxed: true })]).toContainEqual(
      details,
    );
  });

  it("run inside it once a probe has, and say so", async () => {
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
  });

  it.each([
    ["fails", "false"],
    ["says nothing", "true"],
  ])("[TURN-059] are refused where the probe %s", async (_name, wrapper) => {
    const { exec } = await execIn(async () => runtime(wrapper));
    expect(refusalOf(await exec("echo x"), "no-sandbox")).toContain("a probe ended");
  });

  it("are tried again after the sandbox was installed", async () => {
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
