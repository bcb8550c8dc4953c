import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import type { LiteralCommand } from "@openclaw/safety";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../../src/core-tools.js";
import { callTool, refusalOf } from "../../support/call-tool.js";
import { resolvedCommand } from "../../support/resolved-command.js";

const ENVIRONMENT = { PATH: process.env.PATH, HOME: "/home/agent", LANG: "C.UTF-8" };

async function execIn(tree: TemporaryWorkspace, environment = {}) {
  const tools = createCoreTools({
    ...tree,
    environment: { ...ENVIRONMENT, ...environment },
    passEnvironment: Object.keys(environment),
  });
  const run = async (source: string, command: LiteralCommand, params = {}) =>
    callTool(
      tools,
      "exec",
      { command: source, ...params },
      { authorization: { run: "parsed", command } },
    );
  return {
    run,
    async exec(source: string, params = {}) {
      const { literal } = await parseCommand(source);
      if (literal === undefined) throw new Error(`${source} is not literal`);
      return run(source, resolvedCommand(literal), params);
    },
  };
}

describe("command that runs as parsed", () => {
  it("[APPR-038] returns the same output and exit code as bash", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/a.txt", "one\ntwo\nthree\n");
    await tree.folder("workspace/src");
    await tree.file("workspace/src/b.txt", "bee\n");
    const { exec } = await execIn(tree);
    const cases: [string, unknown, number][] = [
      ["cat a.txt | wc -l", "3\n", 0],
      ["cat a.txt | grep t | sort -r | head -n 1", "two\n", 0],
      ["cd src && cat b.txt", "bee\n", 0],
      ["cd src; cat b.txt; cd ..; wc -l a.txt", "bee\n3 a.txt\n", 0],
      ["false || echo no", "no\n", 0],
      ["false && echo no", "", 1],
      ["false && echo a || echo b", "b\n", 0],
      ["true || echo a && echo b", "b\n", 0],
      ["false | true", "", 0],
      ["true | false", "", 1],
      ["cat none 2>/dev/null; echo 'a  b'", "a  b\n", 0],
      ["cat none >/dev/null 2>&1 || echo '$x *'", "$x *\n", 0],
      ["cat none 2>&1 >/dev/null | wc -l", "1\n", 0],
      ["cat none 2>&1 | wc -l", "1\n", 0],
      ["cat </dev/null", "", 0],
      ["cat a.txt | cat </dev/null", "", 0],
      ["yes | head -n 2", "y\ny\n", 0],
      ["seq 1 200000 | tail -n 1", "200000\n", 0],
      ["cd none && ls", "cd: none: no such folder\n", 1],
      ["cat; echo x", "x\n", 0],
      ["cat < none 2>/dev/null || echo missing", expect.stringMatching(/ENOENT.*\nmissing\n$/), 0],
    ];
    for (const [source, output, exitCode] of cases) {
      const { details } = await exec(source);
      expect({ source, details }).toEqual({
        source,
        details: expect.objectContaining({ output, exitCode }),
      });
    }
  });

  it("[APPR-038] does not start when a path resolves differently than at authorization", async () => {
    const tree = await temporaryWorkspace();
    const file = await tree.file("workspace/a.txt", "text\n");
    await tree.file("workspace/b.txt", "other\n");
    await symlink("a.txt", join(tree.workspaceDir, "link"));
    const { run } = await execIn(tree);
    const cat = (path: string): LiteralCommand => {
      const files = [{ path, realPaths: [file] }];
      const program = { program: "/bin/cat", arguments: [path], redirections: [], files };
      return { pipelines: [{ after: ";", programs: [program] }] };
    };
    expect((await run("cat link", cat("link"))).details).toMatchObject({ output: "text\n" });
    await rm(join(tree.workspaceDir, "link"));
    await symlink("b.txt", join(tree.workspaceDir, "link"));
    const refusal = refusalOf(await run("cat link", cat("link")), "refused");
    expect(refusal).toContain('"link" is another file now');
  });

  it("[APPR-038] waits for a slow reader at the end of a pipe", async () => {
    const tree = await temporaryWorkspace();
    const { exec } = await execIn(tree);
    const { details } = await exec(
      "seq 1 50000 | node -e 'setTimeout(() => process.stdin.pipe(process.stdout), 600)' | tail -n 1",
    );
    expect(details).toMatchObject({ output: "50000\n", exitCode: 0 });
  });

  it("[APPR-038] redirects to files of the workspace only", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("outside");
    await symlink(join(tree.base, "outside"), join(tree.workspaceDir, "out"));
    const { exec } = await execIn(tree);
    await exec("echo one > a; echo two >> a; cat none 2> errors");
    expect(await readFile(join(tree.workspaceDir, "a"), "utf8")).toBe("one\ntwo\n");
    expect(await readFile(join(tree.workspaceDir, "errors"), "utf8")).toContain("none");
    expect((await exec("cat < a")).details).toMatchObject({ output: "one\ntwo\n" });
    refusalOf(await exec("echo x > ../outside/x"), "outside-workspace");
    refusalOf(await exec("echo x > out/x"), "outside-workspace");
    refusalOf(await exec("echo x > .env"), "sensitive-path");
  });

  it("[APPR-280] never redirects into a file that programs follow", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("workspace/.git");
    await tree.file("workspace/notes.md", "notes");
    await symlink("notes.md", join(tree.workspaceDir, "AGENTS.md"));
    await symlink(join(tree.workspaceDir, ".envrc"), join(tree.workspaceDir, "variables"));
    const { exec } = await execIn(tree);
    for (const source of [
      "echo x > CLAUDE.md",
      "echo x >> .git/info",
      "cd .git && echo x > info",
      "echo x > notes.md",
      "echo x > variables",
    ]) {
      refusalOf(await exec(source), "refused");
    }
    expect(await readFile(join(tree.workspaceDir, "notes.md"), "utf8")).toBe("notes");
    expect((await exec("cat < AGENTS.md")).details).toMatchObject({ output: "notes" });
  });

  it("[APPR-038] follows cd inside the workspace, and never through a link", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("outside");
    await tree.folder("workspace/src");
    await symlink(join(tree.base, "outside"), join(tree.workspaceDir, "out"));
    await symlink(join(tree.workspaceDir, "src"), join(tree.workspaceDir, "link"));
    const { exec } = await execIn(tree);
    for (const source of ["cd .. && ls", "cd out && ls", "cd / && ls", "cd link && ls"]) {
      refusalOf(await exec(source), "outside-workspace");
    }
  });

  it("[APPR-038] starts no program that the agent's tools can write", async () => {
    const tree = await temporaryWorkspace();
    const bin = join(tree.workspaceDir, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "ls"), "#!/bin/sh\necho planted\n");
    await chmod(join(bin, "ls"), 0o755);
    const { run } = await execIn(tree);
    const start = (program: string) =>
      run("ls", {
        pipelines: [{ after: ";", programs: [{ program, arguments: [], redirections: [] }] }],
      });
    refusalOf(await start(join(bin, "ls")), "refused");
    refusalOf(await start("ls"), "refused");
    refusalOf(await start("./bin/ls"), "refused");
  });

  it("[APPR-038] gets an environment without variables that control programs", async () => {
    const tree = await temporaryWorkspace();
    const PATH = [join(tree.workspaceDir, "bin"), "relative", process.env.PATH].join(delimiter);
    const steering = { GIT_DIR: "x", IFS: "x", RIPGREP_CONFIG_PATH: "x", PAGER: "x" };
    const { exec } = await execIn(tree, { PATH, ...steering, PLAIN: "1" });
    const { details } = await exec("env");
    expect(details).toMatchObject({
      output: expect.stringContaining(`PATH=${process.env.PATH}\n`),
    });
    expect(details).toMatchObject({ output: expect.stringContaining("PLAIN=1\n") });
    expect(details).not.toMatchObject({
      output: expect.stringMatching(/GIT_DIR|IFS|RIPGREP|PAGER/),
    });
  });

  it("runs in the background, and is stopped with all its programs", async () => {
    const tree = await temporaryWorkspace();
    const { exec } = await execIn(tree);
    const { details } = await exec("sleep 30 | sleep 31", { timeoutMs: 300 });
    expect(details).toMatchObject({ exitCode: null });
    expect((await exec("echo a | cat", { background: true })).details).toMatchObject({
      processId: expect.any(String),
    });
  });
});

describe("exec call", () => {
  it("[APPR-038] runs only what was authorized", async () => {
    const tree = await temporaryWorkspace();
    const [exec] = createCoreTools({ ...tree, environment: ENVIRONMENT }).flatMap((tool) =>
      typeof tool === "function" ? tool({ sessionId: "s" } as never) : [],
    );
    const result = await exec?.execute(
      "call-1",
      { command: "echo x" } as never,
      new AbortController().signal,
      () => undefined,
    );
    expect(result).toMatchObject({ isError: true, details: { reason: "refused" } });
  });
});
