import { accessSync, constants, existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, textOf } from "../support/call-tool.js";

const PATH = process.env.PATH ?? "";
const ENVIRONMENT = { PATH };
/** Programs of the sandbox runtime, by platform. */
const PARTS = process.platform === "darwin" ? ["sandbox-exec", "rg"] : ["bwrap", "socat", "rg"];

function isInstalled(program: string): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Outside `/dev`, which the sandbox replaces, and where the tests keep their temporary files in memory. */
const PLACE = "/var/tmp";

async function sandboxedExec() {
  const tree = await temporaryWorkspace(PLACE);
  const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "required" });
  return {
    tree,
    exec: async (command: string, isApproved = false) => {
      const authorization = { run: "shell", isApproved } as const;
      const result = await callTool(tools, "exec", { command }, { authorization });
      const details = result.details as { exitCode: number; output: string; sandboxed: boolean };
      return { ...details, text: textOf(result) };
    },
  };
}

describe.skipIf(!PARTS.every(isInstalled))("commands in the real sandbox", () => {
  it("can write only their workspace", async () => {
    const { exec, tree } = await sandboxedExec();
    const outside = await tree.file("outside.txt", "before");
    expect(await exec("echo made > a.txt && cat a.txt")).toMatchObject({
      exitCode: 0,
      output: "made\n",
      sandboxed: true,
    });
    const denied = await exec(`echo changed > '${outside}'`);
    expect(denied.exitCode).not.toBe(0);
    expect(await readFile(outside, "utf8")).toBe("before");
    expect(await readdir(tree.workspaceDir)).toContain("a.txt");
  });

  it.runIf(process.platform === "linux")(
    "[TURN-262] have limits, and leave no empty files in the workspace",
    async () => {
      const { exec, tree } = await sandboxedExec();
      const { output } = await exec("cat /proc/self/limits");
      const softOf = (name: string) =>
        Number(new RegExp(`^Max ${name} +(\\d+)`, "m").exec(output)?.[1]);
      expect([softOf("processes"), softOf("file size")]).toEqual([2048, 8 * 1024 ** 3]);
      expect(softOf("data size")).toBeLessThanOrEqual(8 * 1024 ** 3);
      expect(await readdir(tree.workspaceDir)).toEqual([]);
    },
  );

  it("[TURN-073][TURN-261] leave no followed files, except those that a person saw in the request", async () => {
    const { exec, tree } = await sandboxedExec();
    const has = (name: string) => existsSync(join(tree.workspaceDir, name));
    await exec(
      "git init -q && git -C . -c user.name=a -c user.email=a commit -q --allow-empty -m 1",
      true,
    );
    expect(has(".git/HEAD")).toBe(true);
    await tree.file("workspace/AGENTS.md", "kept");

    const made = [
      ".openclaw/x",
      ".VSCODE/tasks.json",
      "sub/.git/config",
      "a/b/.envrc",
      "bare/HEAD",
    ];
    const code = `
for (const path of ${JSON.stringify([...made, "bare/objects/x", "bare/refs/x", "plain/file.txt"])}) {
  fs.mkdirSync(require("path").dirname(path), { recursive: true });
  fs.writeFileSync(path, "x");
}
for (const path of ["AGENTS.md", ".git/config", ".git/hooks/post-commit", ".git/commondir"]) {
  try { fs.writeFileSync(path, "evil"); } catch { console.log(path); }
}`;
    await tree.file("workspace/gen.cjs", `const fs = require("fs");${code}`);
    const kept = ["AGENTS.md", ".git/config", ".git/hooks/post-commit", ".git/commondir"];
    const unasked = await exec(`'${process.execPath}' gen.cjs`);
    expect(unasked.output.trim().split("\n")).toEqual(kept);
    expect(made.filter(has)).toEqual([]);
    expect(has("plain/file.txt")).toBe(true);
    expect(unasked.text).toContain("sub/.git");
    expect(await readFile(join(tree.workspaceDir, "AGENTS.md"), "utf8")).toBe("kept");

    // A person who approved a program did not see what it creates.
    await exec(`'${process.execPath}' gen.cjs`, true);
    expect(made.filter(has)).toEqual([]);
    expect(has("AGENTS.md.created-in-sandbox")).toBe(true);
    expect(await readFile(join(tree.workspaceDir, ".git/config"), "utf8")).not.toContain("evil");
    await rm(join(tree.workspaceDir, ".git/commondir"));

    await exec(
      "mkdir -p .vscode one && cd one && git init -q && echo {} > ../.vscode/tasks.json",
      true,
    );
    expect([has("one/.git/HEAD"), has(".vscode/tasks.json")]).toEqual([true, true]);
    await exec("git init -q two && git init -q --bare three.git && git clone -q . four", true);
    expect(
      ["two/.git/HEAD", "three.git/HEAD", "four/.git/HEAD"].filter((name) => !has(name)),
    ).toEqual([]);

    // Git alone may change the data of a repository unasked, but create none.
    const added = await exec("git add plain && git commit --version; git init -q five");
    expect(added.text).toContain("five/.git");
    expect(has("five/.git")).toBe(false);
    expect((await exec("git diff --cached --name-only")).output).toContain("plain/file.txt");
    expect((await readdir(tree.workspaceDir)).filter((name) => name.startsWith(".bash"))).toEqual(
      [],
    );
  });

  it("can write only the workspace of the agent that runs them, regardless of which was first", async () => {
    const agents = [await sandboxedExec(), await sandboxedExec()];
    const [first, second] = await Promise.all(
      agents.map(({ exec, tree }) => exec(`echo own > '${join(tree.workspaceDir, "own.txt")}'`)),
    );
    expect([first?.exitCode, second?.exitCode]).toEqual([0, 0]);
    for (const [at, { exec }] of agents.entries()) {
      const other = agents[1 - at]?.tree.workspaceDir ?? "";
      expect((await exec(`echo foreign > '${join(other, "foreign.txt")}'`)).exitCode).not.toBe(0);
      expect(await readdir(other)).toEqual(["own.txt"]);
    }
  });

  it("cannot read the state folder by any name", async () => {
    const { exec, tree } = await sandboxedExec();
    const secret = await tree.file("state/gateway.token", "the-token");
    const hidden = Buffer.from(secret).toString("base64");
    const { output, exitCode } = await exec(`cat "$(echo ${hidden} | base64 -d)"`);
    expect(exitCode).not.toBe(0);
    expect(output).not.toContain("the-token");
  });

  it("cannot reach a server", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end("reached");
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { exec } = await sandboxedExec();
    const { exitCode } = await exec(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo GET >&3`);
    expect(exitCode).not.toBe(0);
    expect(requests).toBe(0);
  });
});
