import { once } from "node:events";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../../src/core-tools.js";
import { BubblewrapSandbox } from "../../../src/process/bubblewrap/sandbox.js";
import { callTool, refusalOf, textOf } from "../../support/call-tool.js";
import { resolvedCommand } from "../../support/resolved-command.js";

const ENVIRONMENT = { PATH: process.env.PATH };
/** In CI the sandbox must be there; elsewhere a machine may have none. */
const IS_OPTIONAL = process.env.CI === undefined && !existsSync("/usr/bin/bwrap");

function readerIn(tree: TemporaryWorkspace & { readonly stateWorkspaceDir?: string }) {
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
  it("[TURN-073] shows the workspace without letting a command write", async () => {
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

  it("[TURN-073] hides everything outside the workspace, the state folder and private files", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("outside/secret.txt", "secret\n");
    await tree.file("workspace/.env", "TOKEN=secret\n");
    await mkdir(tree.stateDir, { recursive: true });
    await writeFile(join(tree.stateDir, "openclaw.db"), "secret\n");
    await tree.folder("workspace/.ssh");
    await tree.file("workspace/.ssh/id_rsa", "secret\n");
    await symlink(join(tree.base, "outside/secret.txt"), join(tree.workspaceDir, "link"));
    const run = readerIn(tree);
    // A path in the state folder is rejected by `exec`, so the test uses a search from a parent folder.
    const search = `grep -rs sec ${tree.base}`;
    expect(tree.stateDir.startsWith(tree.base)).toBe(true);
    for (const source of ["cat link", "cat .env", "cat .ssh/id_rsa", "cat /etc/passwd", search]) {
      const { output, sandboxed } = await run(source);
      expect([source, sandboxed]).toEqual([source, true]);
      expect(output).not.toMatch(/secret|daemon:/);
    }
    expect((await run("ls /proc")).output).not.toContain(`${process.pid}\n`);
    expect((await run("printenv HOME")).output).toBe("/home/sandbox\n");
  });

  it("[TURN-073] hides private files at any depth, also when the workspace is in the state folder", async () => {
    const tree = await temporaryWorkspace();
    const deep = ["apps/a/.env", ".git/config", "vendor/x/.git/config", "a/b/c/d/server.key"];
    for (const name of deep) await tree.file(`workspace/${name}`, "secret\n");
    await tree.file("workspace/apps/a/.env.example", "sample\n");
    const run = readerIn(tree);
    expect((await run("grep -rn secret .")).output).not.toContain(":secret");
    for (const name of deep) expect((await run(`cat ${name}`)).output).not.toContain("secret");
    expect((await run("cat apps/a/.env.example")).output).toBe("sample\n");
    const inState = readerIn({
      ...tree,
      stateDir: tree.base,
      stateWorkspaceDir: tree.workspaceDir,
    });
    expect((await inState("grep -rn secret .")).output).not.toContain(":secret");
  });

  it("runs commands covered by a grant or an entry outside, with their effects", async () => {
    const tree = await temporaryWorkspace();
    const { output: _, ...rest } = await readerIn(tree)("touch made", false);
    expect(rest).toMatchObject({ sandboxed: false, exitCode: 0 });
    expect(existsSync(join(tree.workspaceDir, "made"))).toBe(true);
  });
});

describe.skipIf(IS_OPTIONAL || process.platform !== "linux")(
  "the sandbox of contained commands",
  () => {
    it("[TURN-260] runs a shell that reads the workspace, without writing and without the data of git", async () => {
      const tree = await temporaryWorkspace();
      await tree.file("workspace/.git/objects/aa/bb", "secret\n");
      await tree.file("workspace/sub/.git/HEAD", "secret\n");
      await tree.file("workspace/a.txt", "text\n");
      const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "auto" });
      const authorization = { run: "shell", access: "contained" } as const;
      const run = async (command: string) =>
        textOf(await callTool(tools, "exec", { command }, { authorization }));
      expect(await run("for f in *.txt; do cat $f; done; whoami")).toContain(
        `text\n${userInfo().username}\n`,
      );
      expect(await run("echo x > made; grep -r secret . ; cat .git/objects/*/*")).toMatch(
        /Read-only file system[\s\S]*It ran in a read-only sandbox/,
      );
      expect(await run("grep -r sec . ; cat .git/objects/*/* sub/.git/*")).not.toContain("secret");
      expect(existsSync(join(tree.workspaceDir, "made"))).toBe(false);
    });

    it("[TURN-260] is never replaced by a run outside", async () => {
      const tree = await temporaryWorkspace();
      const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "off" });
      const shell = { run: "shell", access: "contained" } as const;
      const { literal } = await parseCommand("touch made");
      const parsed = {
        run: "parsed",
        command: resolvedCommand(literal ?? { pipelines: [] }),
        access: "contained",
      } as const;
      for (const authorization of [shell, parsed]) {
        const result = await callTool(tools, "exec", { command: "touch made" }, { authorization });
        expect(refusalOf(result, "no-sandbox")).toContain("openclaw doctor sandbox");
      }
      expect(existsSync(join(tree.workspaceDir, "made"))).toBe(false);
    });
  },
);

describe.skipIf(IS_OPTIONAL || process.platform !== "linux")("the writable sandbox", () => {
  const SHELL = { run: "shell", access: "workspace" } as const;

  async function writer() {
    const tree = await temporaryWorkspace();
    const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "auto" });
    const run = async (command: string) =>
      textOf(await callTool(tools, "exec", { command }, { authorization: SHELL }));
    return { tree, run };
  }

  it("[TURN-073] lets a shell write the workspace, a home and temporary files", async () => {
    const { tree, run } = await writer();
    const text = await run(
      "for x in a b; do echo $x > $x.txt; done; echo x > ~/y; echo x > $TMPDIR/z",
    );
    expect(text).toContain("Exit code 0");
    expect(existsSync(join(tree.workspaceDir, "b.txt"))).toBe(true);
    expect(existsSync(join(homedir(), "y"))).toBe(false);
  });

  it("[TURN-073] protects .git, .openclaw, private files and the rest of the disk, with a notice", async () => {
    const { tree, run } = await writer();
    await tree.file("outside/secret.txt", "secret\n");
    await tree.file("workspace/.git/hooks/kept", "kept\n");
    await tree.file("workspace/sub/.git/HEAD", "kept\n");
    await tree.file("workspace/sub/.env", "secret\n");
    for (const target of [
      ".git/hooks/pre-commit",
      "sub/.git/HEAD",
      "sub/.env",
      ".openclaw/extensions/x.js",
      "/usr/made",
    ]) {
      const text = await run(`mkdir -p "$(dirname ${target})" && echo made > ${target}`);
      expect([target, text]).toEqual([target, expect.stringContaining("It ran in a sandbox")]);
    }
    await run(`echo made > ${join(tree.base, "outside/secret.txt")}`);
    expect(readFileSync(join(tree.base, "outside/secret.txt"), "utf8")).toBe("secret\n");
    expect(await run("mv .git x; rm -rf .git; mv sub/.git y")).not.toContain("Exit code 0");
    expect(existsSync(join(tree.workspaceDir, ".git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(join(tree.workspaceDir, ".git/hooks/kept"))).toBe(true);
    expect(existsSync(join(tree.workspaceDir, ".openclaw"))).toBe(false);
    expect(await run(`cat sub/.env ${join(tree.base, "outside/secret.txt")}`)).not.toMatch(
      /secret$/m,
    );
  });

  it("[TURN-262] denies system calls that reach other processes, mounts and namespaces, and leaves ordinary programs alone", async () => {
    const { run } = await writer();
    expect(await run("grep Seccomp: /proc/self/status")).toMatch(/Seccomp:\s+2/);
    expect(await run("unshare -U true; unshare -m true; echo end")).toMatch(
      /(?:Operation not permitted[\s\S]*){2}end/,
    );
    expect(await run("echo a | (cat; ls /usr | wc -l) && (sleep 0 & wait)")).toContain(
      "Exit code 0",
    );
    expect(await run(`${process.execPath.startsWith("/usr") ? "node -p 1" : "echo 1"}`)).toContain(
      "1\n",
    );
  });

  it("[TURN-262] shows no setting of the kernel that root could change", async () => {
    const { run } = await writer();
    const found = await run(
      "find /proc -path '/proc/[0-9]*' -prune -o -type f -writable -print; echo end",
    );
    expect(found).toMatch(/^end\n/);
  });

  it("[TURN-262] limits the processes, the memory of a process, and the size of a file", async () => {
    const { tree, run } = await writer();
    const limits = await run("ulimit -u; ulimit -d; ulimit -f; df -k --output=size /tmp | tail -1");
    const [processes = 0, memory = 0, file = 0, temporary = 0] = limits
      .split("\n")
      .map((line) => Number(line.trim()));
    expect(processes).toBe(2048);
    expect(memory).toBeGreaterThan(0);
    expect(memory).toBeLessThanOrEqual(8 * 1024 ** 2);
    expect(file).toBe(8 * 1024 ** 2);
    expect(temporary).toBe(1024 ** 2);
    expect(await run("truncate -s 9G big")).not.toContain("Exit code 0");
    expect(lstatSync(join(tree.workspaceDir, "big")).size).toBe(0);
  });

  it("[TURN-261] leaves no repository and no .openclaw folder that a command created, at any depth, and keeps existing ones", async () => {
    const { tree, run } = await writer();
    await tree.file("workspace/own/.git/config", "kept\n");
    await tree.file("workspace/node_modules/x/.git/config", "kept\n");
    for (const [command, path] of [
      ["git init -q sub && git -C sub config core.fsmonitor ./x", "sub/.git"],
      ["mkdir -p a/b/c && mkdir a/b/c/.git && echo x > a/b/c/.git/config", "a/b/c/.git"],
      ["mkdir -p node_modules/y/.git", "node_modules/y/.git"],
      ["mkdir -p d/x && mv d/x d/.GIT", "d/.GIT"],
      ["mkdir e && ln -s ../own e/.git", "e/.git"],
      ["mkdir f && echo 'gitdir: ../own' > f/.git", "f/.git"],
      ["mkdir -p g/.openclaw/extensions", "g/.openclaw"],
      ["git init -q --bare bare", "bare/HEAD"],
    ] as const) {
      const text = await run(command);
      expect([command, text]).toEqual([command, expect.stringContaining("renamed to")]);
      expect(text).toContain(`renamed to "….created-in-sandbox": ${join(tree.workspaceDir, path)}`);
      expect([path, existsSync(join(tree.workspaceDir, path))]).toEqual([path, false]);
      const aside = join(tree.workspaceDir, `${path}.created-in-sandbox`);
      expect([path, lstatSync(aside, { throwIfNoEntry: false }) !== undefined]).toEqual([
        path,
        true,
      ]);
    }
    expect(await run("mkdir d/.GIT")).toContain("d/.GIT");
    for (const path of ["own/.git/config", "node_modules/x/.git/config"]) {
      expect(readFileSync(join(tree.workspaceDir, path), "utf8")).toBe("kept\n");
    }
    expect(await run("true")).not.toContain("renamed");
  });

  it("[TURN-261, APPR-280] leaves no followed file that a command created or changed, of each kind, and keeps existing ones", async () => {
    const { tree, run } = await writer();
    const existing = ["AGENTS.md", "docs/CLAUDE.md", ".vscode/tasks.json", "node_modules/.bin/x"];
    for (const path of existing) await tree.file(`workspace/${path}`, "kept\n");
    await tree.file("workspace/bare/config", "kept\n");
    for (const name of ["HEAD", "objects/a", "refs/a"])
      await tree.file(`workspace/bare/${name}`, "kept\n");
    for (const path of [...existing, "bare/config"]) {
      await run(`echo x > ${path}; cp /etc/passwd ${path}; rm -rf ${path}; mv ${path} y`);
      expect(readFileSync(join(tree.workspaceDir, path), "utf8")).toBe("kept\n");
    }
    const created = [".github/workflows/ci.yml", "a/.envrc", "skills/x/SKILL.md", ".mcp.json"];
    for (const path of created) {
      const text = await run(`mkdir -p "$(dirname ${path})" && echo x > ${path}`);
      expect([path, text]).toEqual([path, expect.stringContaining(".created-in-sandbox")]);
      expect(existsSync(join(tree.workspaceDir, path))).toBe(false);
    }
    // A folder above an existing repository is moved away, and another one takes its place.
    await tree.file("workspace/own/.git/config", "kept\n");
    await run("mv own moved && mkdir -p own/.git && echo fsmonitor > own/.git/config");
    expect(existsSync(join(tree.workspaceDir, "own/.git"))).toBe(false);
    expect(readFileSync(join(tree.workspaceDir, "moved/.git/config"), "utf8")).toBe("kept\n");
  });

  it("[TURN-261] stops a command that creates a repository again and again", async () => {
    const { tree, run } = await writer();
    const text = await run("while :; do mkdir -p x/.git 2>/dev/null; done");
    expect(text).toMatch(/Ended by signal SIG/);
    expect(existsSync(join(tree.workspaceDir, "x/.git"))).toBe(false);
  });

  it("[TURN-073] provides no network", async () => {
    const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { run } = await writer();
    expect(await run(`read line < /dev/tcp/127.0.0.1/${port}; echo "$line"`)).not.toContain(
      "reached",
    );
    server.close();
  });

  it("[TURN-073] keeps a placeholder until the last command that needs it has ended", async () => {
    const { tree, run } = await writer();
    const long = run("sleep 0.6; mkdir -p .openclaw/extensions");
    await run("sleep 0.1");
    expect(await long).toContain("Read-only file system");
    expect(existsSync(join(tree.workspaceDir, ".openclaw"))).toBe(false);
  });

  it("[TURN-059] is never replaced by a run outside", async () => {
    const tree = await temporaryWorkspace();
    const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "off" });
    const result = await callTool(
      tools,
      "exec",
      { command: "touch made" },
      { authorization: SHELL },
    );
    expect(refusalOf(result, "no-sandbox")).toContain("openclaw doctor sandbox");
    expect(existsSync(join(tree.workspaceDir, "made"))).toBe(false);
  });
});

describe("the probe", () => {
  it("[TURN-730] does not look through the workspace", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/.env", "TOKEN=secret\n");
    const record = join(tree.base, "words");
    const bubblewrap = await tree.file(
      "bwrap",
      `#!/bin/sh\n[ "$1" = --help ] || echo "$@" >${record}\n`,
    );
    await chmod(bubblewrap, 0o755);
    const reach = { folders: [tree.workspaceDir], stateDir: tree.stateDir };
    const sandbox = new BubblewrapSandbox(reach, [bubblewrap]);
    expect(await sandbox.state()).toEqual({ active: true });
    const hiding = `/dev/null ${join(tree.workspaceDir, ".env")}`;
    expect(readFileSync(record, "utf8")).not.toContain(hiding);
    // The same workspace is looked through for a command.
    const enclosure = await sandbox.enclosure("read-only", "");
    const start = { program: "/usr/bin/true", arguments: [], workdir: tree.workspaceDir };
    expect(enclosure?.enclose(start).arguments.join(" ")).toContain(hiding);
    await enclosure?.close();
  });
});

describe("unusable sandbox", () => {
  it("[TURN-059] reports the cause and the remedy, and contains nothing", async () => {
    const tree = await temporaryWorkspace();
    const reach = { folders: [tree.workspaceDir], stateDir: tree.stateDir };
    const missing = new BubblewrapSandbox(reach, ["/nowhere/bwrap"]);
    expect(await missing.state()).toMatchObject({
      active: false,
      remedy: expect.stringContaining("install the package bubblewrap"),
    });
    expect(await missing.enclosure("read-only", "")).toBeUndefined();
    const broken = new BubblewrapSandbox(reach, ["/bin/false", "/usr/bin/false"]);
    expect(await broken.state()).toMatchObject({
      active: false,
      cause: expect.stringContaining("the probe failed"),
    });
  });
});
