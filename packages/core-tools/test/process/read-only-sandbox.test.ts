import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { ReadOnlySandbox } from "../../src/process/read-only-sandbox.js";
import { callTool } from "../support/call-tool.js";
import { resolvedCommand } from "../support/resolved-command.js";

const ENVIRONMENT = { PATH: process.env.PATH };
/** In CI the sandbox must be there; elsewhere a machine may have none. */
const IS_OPTIONAL = process.env.CI === undefined && !existsSync("/usr/bin/bwrap");

function readerIn(tree: TemporaryWorkspace) {
  const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "auto" });
  return async (source: string, isReading = true) => {
    const { literal } = await parseCommand(source);
    if (literal === undefined) throw new Error(`${source} is not literal`);
    const access = isReading ? { access: "read-only" as const } : {};
    const authorization = { run: "parsed", command: resolvedCommand(literal), ...access } as const;
    const { details } = await callTool(tools, "exec", { command: source }, { authorization });
    return details as { output: string; exitCode: number; sandboxed: boolean };
  };
}

describe.skipIf(IS_OPTIONAL || process.platform !== "linux")("the read-only sandbox", () => {
  it("[TURN-059] shows the workspace and lets nothing be written", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/a.txt", "text\n");
    await tree.folder("workspace/src");
    const run = readerIn(tree);
    expect(await run("cd src && cat ../a.txt | wc -l")).toMatchObject({
      output: "1\n",
      exitCode: 0,
      sandboxed: true,
    });
    expect((await run("touch made")).output).toContain("Read-only file system");
    expect(existsSync(join(tree.workspaceDir, "made"))).toBe(false);
  });

  it("[TURN-059] hides what is outside the workspace, the state folder and private files", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("outside/secret.txt", "secret\n");
    await tree.file("workspace/.env", "TOKEN=secret\n");
    await mkdir(tree.stateDir, { recursive: true });
    await tree.folder("workspace/.ssh");
    await tree.file("workspace/.ssh/id_rsa", "secret\n");
    await symlink(join(tree.base, "outside/secret.txt"), join(tree.workspaceDir, "link"));
    const run = readerIn(tree);
    for (const source of ["cat link", "cat .env", "cat .ssh/id_rsa", "cat /etc/passwd"]) {
      const { output, sandboxed } = await run(source);
      expect([source, sandboxed]).toEqual([source, true]);
      expect(output).not.toMatch(/secret|root:/);
    }
    expect((await run("ls /proc")).output).not.toContain(`${process.pid}\n`);
    expect((await run("printenv HOME")).output).toBe("/home/sandbox\n");
  });

  it("runs what a grant or an entry covers outside, with its effects", async () => {
    const tree = await temporaryWorkspace();
    const { output: _, ...rest } = await readerIn(tree)("touch made", false);
    expect(rest).toMatchObject({ sandboxed: false, exitCode: 0 });
    expect(existsSync(join(tree.workspaceDir, "made"))).toBe(true);
  });
});

describe("a sandbox that does not work", () => {
  it("[TURN-059] names the cause and the remedy, and encloses nothing", async () => {
    const tree = await temporaryWorkspace();
    const reach = { folders: [tree.workspaceDir], stateDir: tree.stateDir };
    const missing = new ReadOnlySandbox(reach, ["/nowhere/bwrap"]);
    expect(await missing.state()).toMatchObject({
      active: false,
      remedy: expect.stringContaining("install the package bubblewrap"),
    });
    expect(await missing.enclosure()).toBeUndefined();
    const broken = new ReadOnlySandbox(reach, ["/bin/false", "/usr/bin/false"]);
    expect(await broken.state()).toMatchObject({
      active: false,
      cause: expect.stringContaining("the probe failed"),
    });
  });
});
