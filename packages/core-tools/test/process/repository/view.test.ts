import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import type { LiteralRepository } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../../src/core-tools.js";
import { callTool, refusalOf } from "../../support/call-tool.js";
import { resolvedCommand } from "../../support/resolved-command.js";

const SETTINGS = '[remote "origin"]\n\turl = "https://example.com/x.git"\n';
const OWN_ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

interface Repository extends TemporaryWorkspace {
  /** Made by every program that the repository names. */
  readonly marker: string;
  /** Its `.git`. */
  readonly gitDir: string;
}

/** A repository whose settings name a program wherever git may start one. */
async function hostileRepository(): Promise<Repository> {
  const tree = await temporaryWorkspace();
  const { workspaceDir } = tree;
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: workspaceDir, env: OWN_ENVIRONMENT, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "A");
  await tree.file("workspace/a.txt", "one\n");
  await tree.file("workspace/.gitattributes", "* filter=evil diff=evil\n");
  git("add", "-A");
  git("commit", "-qm", "First");
  git("tag", "v1");
  await tree.file("workspace/a.txt", "two\n");
  const marker = join(tree.base, "marker");
  const program = await tree.file("program", `#!/bin/sh\necho >> ${marker}\nexit 1\n`);
  await chmod(program, 0o755);
  const settings = {
    "filter.evil.clean": program,
    "filter.evil.process": program,
    "diff.evil.command": program,
    "diff.evil.textconv": program,
    "gpg.program": program,
    "log.showSignature": "true",
    "core.fsmonitor": program,
    "core.pager": program,
    "core.hooksPath": tree.base,
    "core.sshCommand": program,
    "diff.external": program,
    "remote.origin.url": "https://user:secret@example.com/x.git",
  };
  for (const [key, value] of Object.entries(settings)) git("config", key, value);
  return { ...tree, marker, gitDir: join(workspaceDir, ".git") };
}

function repositoryOf(
  { gitDir, workspaceDir }: Repository,
  settings = SETTINGS,
): LiteralRepository {
  return {
    folder: gitDir,
    sharedFolder: gitDir,
    workTree: workspaceDir,
    settings,
    ignored: "*.log\n",
  };
}

function gitIn(repository: Repository, sandbox: "auto" | "off" = "off") {
  const tools = createCoreTools({ ...repository, environment: OWN_ENVIRONMENT, sandbox });
  return async (words: readonly string[], view = repositoryOf(repository)) => {
    const program = {
      program: "git",
      arguments: ["--no-pager", ...words],
      redirections: [],
      repository: view,
    };
    const command = resolvedCommand({ pipelines: [{ after: ";", programs: [program] }] });
    return await callTool(
      tools,
      "exec",
      { command: `git ${words.join(" ")}` },
      { authorization: { run: "parsed", command, access: "read-only" } },
    );
  };
}

const COMMANDS = [
  ["status"],
  ["diff"],
  ["diff", "HEAD"],
  ["log", "-p", "-1"],
  ["show", "HEAD"],
  ["blame", "a.txt"],
  ["grep", "one", "HEAD"],
];

describe("git with a repository view", () => {
  it("[APPR-038] starts no program that the repository's settings name since authorization", async () => {
    const repository = await hostileRepository();
    const git = gitIn(repository);
    for (const words of COMMANDS) {
      const { details } = await git(words);
      expect({ words, details }).toMatchObject({ words, details: { exitCode: 0 } });
      expect(existsSync(repository.marker), words.join(" ")).toBe(false);
    }
    // The same commands without the view show that the settings are effective.
    for (const words of COMMANDS) {
      spawnSync("git", words, {
        cwd: repository.workspaceDir,
        env: OWN_ENVIRONMENT,
        timeout: 10_000,
      });
    }
    expect(existsSync(repository.marker)).toBe(true);
  });

  it("[APPR-038] works the same in the sandbox, and leaves no folder behind", async () => {
    const repository = await hostileRepository();
    const git = gitIn(repository, "auto");
    const views = () => readdirSync(tmpdir()).filter((name) => name.startsWith("openclaw-git-"));
    const before = new Set(views());
    const output = async (words: readonly string[]) => (await git(words)).details;
    expect(await output(["status", "--short"])).toMatchObject({ output: " M a.txt\n" });
    expect(await output(["log", "--oneline"])).toMatchObject({
      output: expect.stringMatching(/^[0-9a-f]+ First\n$/),
    });
    expect(await output(["diff"])).toMatchObject({ output: expect.stringContaining("+two") });
    expect(await output(["remote", "-v"])).toMatchObject({
      output: expect.stringContaining("https://example.com/x.git (fetch)"),
    });
    expect(await output(["tag", "--list"])).toMatchObject({ output: "v1\n" });
    expect(existsSync(repository.marker)).toBe(false);
    expect(views().filter((name) => !before.has(name))).toEqual([]);
  });

  it("[APPR-038] shows a merge, a rebase and the user's ignored files, and writes nothing", async () => {
    const repository = await hostileRepository();
    const { gitDir, workspaceDir } = repository;
    const git = gitIn(repository);
    await repository.file("workspace/x.log", "x\n");
    await repository.file("workspace/.git/rebase-merge/head-name", "refs/heads/topic\n");
    await repository.file("workspace/.git/rebase-merge/interactive", "");
    await repository.file("workspace/.git/rebase-merge/done", "pick abc First\n");
    const index = await readFile(join(gitDir, "index"));
    const { details } = await git(["status"]);
    expect(details).toMatchObject({ output: expect.stringContaining("rebasing branch 'topic'") });
    expect(details).toMatchObject({ output: expect.not.stringContaining("x.log") });
    await git(["diff"]);
    expect(await readFile(join(gitDir, "index"))).toEqual(index);
    expect(existsSync(join(workspaceDir, ".git/index.lock"))).toBe(false);
  });

  it("[APPR-038] is rejected if the repository resolves elsewhere than at authorization", async () => {
    const repository = await hostileRepository();
    const { base, gitDir } = repository;
    const git = gitIn(repository);
    const secret = await repository.file("outside", "secret\n");
    for (const name of ["HEAD", "packed-refs", "objects", "info/attributes", "refs"]) {
      const path = join(gitDir, name);
      const kept = join(base, "kept");
      if (existsSync(path)) await rename(path, kept);
      await symlink(secret, path);
      const refusal = refusalOf(await git(["status"]), "refused");
      expect(refusal).toContain(`${path} is a link`);
      expect(refusal).not.toContain("secret");
      await rm(path);
      if (existsSync(kept)) await rename(kept, path);
    }
    await rename(gitDir, join(base, "git"));
    await symlink(join(base, "git"), gitDir);
    expect(refusalOf(await git(["status"]), "refused")).toContain("outside the workspace");
  });

  it("[APPR-038] is rejected if the repository uses the objects of another one", async () => {
    const repository = await hostileRepository();
    await writeFile(join(repository.gitDir, "objects/info/alternates"), "/srv/other/objects\n");
    const refusal = refusalOf(await gitIn(repository)(["log"]), "refused");
    expect(refusal).toContain("objects of another one");
  });

  it("[APPR-038] never fetches objects that a partial clone left out", async () => {
    const repository = await hostileRepository();
    const { gitDir, workspaceDir } = repository;
    const promisor = `[core]
\trepositoryformatversion = 1
\tsshCommand = ${join(repository.base, "program")}
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = ssh://host/x
\tpromisor = true
`;
    const words = ["show", "1".repeat(40)];
    const view = repositoryOf(repository, promisor);
    expect((await gitIn(repository)(words, view)).details).toMatchObject({ exitCode: 128 });
    expect(existsSync(repository.marker)).toBe(false);
    await writeFile(join(gitDir, "config"), promisor);
    spawnSync("git", words, { cwd: workspaceDir, env: OWN_ENVIRONMENT, timeout: 10_000 });
    expect(existsSync(repository.marker)).toBe(true);
  });
});
