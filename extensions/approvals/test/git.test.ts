import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost, parseCommand } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { GIT_SUBCOMMANDS } from "../src/git/subcommands.js";
import plugin from "../src/index.js";
import { type HostileRepository, hostileRepository } from "./support/hostile-repository.js";

const SECRET = "planted-9c41";

interface Scene {
  readonly repository: HostileRepository;
  /** Folder outside the workspace. */
  readonly outside: string;
  /** Returns whether a command needs approval. */
  asks(command: string): Promise<boolean>;
}

interface RunningScene extends Scene {
  /** Runs a command that needs no approval. */
  run(command: string): Promise<string>;
}

function folder(name: string): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function sceneIn(workspaceDir: string): Scene {
  const outside = folder("outside");
  const evaluator = createCommandEvaluator({}, process.env.PATH ?? "");
  return {
    outside,
    repository: hostileRepository(workspaceDir, outside),
    async asks(command) {
      const { decision } = await evaluator.evaluate(await parseCommand(command), { workspaceDir });
      return decision !== "run";
    },
  };
}

/**
 * Creates a scene that runs commands. Without a sandbox only the rules and the host's own settings
 * of git protect it.
 */
async function runningScene(sandbox: "off" | "auto" = "off"): Promise<RunningScene> {
  const config = { tools: { exec: { sandbox } } };
  const host = await createTestHost({ plugin, manifest, answer: () => "deny", config });
  onTestFinished(() => host.dispose());
  return {
    ...sceneIn(host.workspaceDir),
    async run(command) {
      const { text } = await host.callTool("exec", { command });
      expect(host.questions, command).toEqual([]);
      return text.replace(/\n\[Exit code.*$/s, "").trimEnd();
    },
  };
}

/** Preparation of a hostile repository, and the command that would run its program. */
type Vector = readonly [
  name: string,
  command: string,
  prepare: (repository: HostileRepository, outside: string) => void,
];

const set = (repository: HostileRepository, settings: Readonly<Record<string, string>>) => {
  for (const [key, value] of Object.entries(settings)) repository.git(["config", key, value]);
};

/** Vectors that start the program when a person runs the command. */
const ASKED: readonly Vector[] = [
  [
    "a signature that log verifies",
    "git log -1",
    (repository) => {
      const { git, program } = repository;
      set(repository, { "log.showSignature": "true", "gpg.program": program });
      const tree = git(["rev-parse", "HEAD^{tree}"]).trim();
      const signed = `tree ${tree}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nSigned\n`;
      repository.write("commit", signed);
      const commit = git(["hash-object", "-t", "commit", "-w", "commit"]).trim();
      git(["update-ref", "HEAD", commit]);
    },
  ],
  [
    "a filter",
    "git status",
    (repository) => {
      repository.write(".gitattributes", "* filter=evil\n");
      set(repository, { "filter.evil.clean": repository.program });
    },
  ],
  [
    "a filter that is a process",
    "git diff",
    (repository) => {
      repository.write(".gitattributes", "* filter=evil\n");
      set(repository, { "filter.evil.process": repository.program });
    },
  ],
  [
    "a program that compares",
    "git diff",
    (repository) => {
      repository.write(".gitattributes", "* diff=evil\n");
      set(repository, { "diff.evil.command": repository.program });
    },
  ],
  [
    "a program that converts to text",
    "git log -p -1",
    (repository) => {
      repository.write(".gitattributes", "* diff=evil\n");
      set(repository, { "diff.evil.textconv": repository.program });
    },
  ],
  [
    "objects that have to be fetched",
    "git show 1111111111111111111111111111111111111111",
    (repository) =>
      set(repository, {
        "core.repositoryformatversion": "1",
        "core.sshCommand": repository.program,
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://host/x",
      }),
  ],
  [
    "included settings",
    "git status",
    (repository) => {
      repository.write("settings", `[core]\n\tfsmonitor = ${repository.program}\n`);
      set(repository, { "include.path": "../settings" });
    },
  ],
  [
    "settings of a working tree",
    "git status",
    (repository) => {
      repository.write(".gitattributes", "* filter=evil\n");
      set(repository, { "extensions.worktreeConfig": "true" });
      repository.git(["config", "--worktree", "filter.evil.clean", repository.program]);
    },
  ],
  [
    "a repository without a working tree",
    "cd evil && git status",
    (repository) => {
      const { dir, git, program } = repository;
      git(["init", "-q", "--bare", "evil"]);
      const evil = join(dir, "evil");
      git(["config", "core.bare", "false"], evil);
      git(["config", "core.worktree", dir], evil);
      git(["config", "core.fsmonitor", program], evil);
      rmSync(join(evil, "HEAD"));
      symlinkSync("refs/heads/main", join(evil, "HEAD"));
    },
  ],
  [
    "a repository that a file of the working tree names",
    "cd part && git status",
    (repository, outside) => {
      const { dir, git, program } = repository;
      git(["init", "-q", "--separate-git-dir", join(outside, "git"), join(dir, "part")]);
      git(["config", "core.fsmonitor", program], join(dir, "part"));
    },
  ],
];

/** Vectors with which git starts the program for a person, but not for the host. */
const HARMLESS: readonly Vector[] = [
  [
    "a monitor of files",
    "git status",
    (repository) => set(repository, { "core.fsmonitor": repository.program }),
  ],
  [
    "a hook",
    "git status",
    (repository) => {
      repository.write("hooks/post-index-change", `#!/bin/sh\nexec ${repository.program}\n`);
      repository.git(["update-index", "--chmod=+x", "--add", "hooks/post-index-change"]);
      repository.git(["checkout", "hooks/post-index-change"]);
      set(repository, { "core.hooksPath": join(repository.dir, "hooks") });
      repository.git(["stash", "--keep-index", "-q"]);
      // The entry of the index is outdated now, and status would write it.
      repository.write("a.txt", "one\n");
      repository.wasStarted();
    },
  ],
  [
    "a filter of a submodule",
    "git status",
    (repository) => {
      const { dir, git, program } = repository;
      const source = join(dir, "source");
      git(["clone", "-q", dir, source]);
      git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./source", "sub"]);
      const sub = join(dir, "sub");
      git(["config", "filter.evil.clean", program], sub);
      repository.write("sub/.gitattributes", "* filter=evil\n");
      repository.write("sub/a.txt", "six\n");
    },
  ],
];

describe("git in a hostile repository", () => {
  it.each(ASKED)(
    "[APPR-037][APPR-038] requires approval for git in a hostile repository: %s",
    async (_name, command, prepare) => {
      const { asks, repository, outside } = sceneIn(folder("workspace"));
      expect(await asks("git status")).toBe(false);
      prepare(repository, outside);
      repository.wasStarted();
      expect(await asks(command)).toBe(true);
      expect(repository.wasStarted()).toBe(false);
      // Verifies that the vector works.
      const [below] = /(?<=cd )\w+/.exec(command) ?? [""];
      repository.attack(command.replace(/^.*?git /, "").split(" "), join(repository.dir, below));
      expect(repository.wasStarted()).toBe(true);
    },
  );

  it.each(HARMLESS)(
    "[APPR-037][APPR-038] runs git without harm in a hostile repository: %s",
    async (_name, command, prepare) => {
      const { run, repository, outside } = await runningScene();
      prepare(repository, outside);
      repository.wasStarted();
      const output = await run(command);
      expect(repository.wasStarted()).toBe(false);
      expect(output).toContain("On branch main");
      repository.attack(command.replace("git ", "").split(" "));
      expect(repository.wasStarted()).toBe(true);
    },
  );

  it("[APPR-037] requires approval for git where the repository or its head is a link", async () => {
    const { asks, repository, outside } = sceneIn(folder("workspace"));
    const { dir } = repository;
    const head = join(dir, ".git/HEAD");
    expect(await asks("git status")).toBe(false);
    renameSync(head, join(dir, ".git/refs/head"));
    symlinkSync("refs/head", head);
    expect(await asks("git status")).toBe(true);
    rmSync(head);
    renameSync(join(dir, ".git/refs/head"), head);
    renameSync(join(dir, ".git"), join(outside, "git"));
    symlinkSync(join(outside, "git"), join(dir, ".git"));
    expect(await asks("git status")).toBe(true);
  });

  it("[APPR-037] requires approval for git where references or objects are links", async () => {
    const { asks, repository, outside } = sceneIn(folder("workspace"));
    const places = ["refs/heads/x", "objects/pack/x.pack", "objects/ab"];
    for (const place of places) {
      const link = join(repository.dir, ".git", place);
      symlinkSync(outside, link);
      expect({ place, asks: await asks("git log x") }).toEqual({ place, asks: true });
      rmSync(link);
    }
    expect(await asks("git log x")).toBe(false);
  });

  it("[APPR-037] reads clusters of options like git, so that no other word becomes an option", async () => {
    const { asks, repository } = sceneIn(folder("workspace"));
    const made = join(repository.dir, "made");
    for (const [name, { table }] of GIT_SUBCOMMANDS) {
      for (const value of Object.keys(table.values ?? {})) {
        for (const flag of ["", ...(table.flags ?? ""), "C", "M", "U"]) {
          const words = [name, `-${flag}${value}`, "--output=made", "a.txt"];
          if (await asks(`git ${words.join(" ")}`)) continue;
          repository.attack(words);
          expect({ words, made: existsSync(made) }).toEqual({ words, made: false });
        }
      }
    }
  });

  it("[APPR-037] runs git in a linked working tree and in a submodule", async () => {
    const { run, repository } = await runningScene();
    const { dir, git } = repository;
    git(["worktree", "add", "-q", "-b", "topic", "tree"]);
    git(["clone", "-q", dir, join(dir, "source")]);
    git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./source", "sub"]);
    repository.write("tree/a.txt", "three\n");
    repository.write("sub/a.txt", "four\n");
    for (const [command, expected] of [
      ["git -C tree status --short --branch", "## topic\n M a.txt"],
      ["cd tree && git diff", "+three"],
      ["cd sub && git diff a.txt", "+four"],
      ["cd tree && git log --oneline", "First"],
    ] as const) {
      expect({ command, output: await run(command) }).toEqual({
        command,
        output: expect.stringContaining(expected),
      });
    }
  });

  it("[APPR-037] does not treat the name of a file as an option", async () => {
    const { asks, repository } = sceneIn(folder("workspace"));
    repository.write("--output=z.txt", "");
    for (const command of [
      "git log -1 *",
      "git log -1 '--output=z.txt'",
      "git diff -- --output=z.txt",
    ]) {
      expect(await asks(command), command).toBe(true);
    }
    expect(existsSync(join(repository.dir, "z.txt"))).toBe(false);
  });

  it("[APPR-037] never shows a private file through git", async () => {
    const { run, asks, repository, outside } = await runningScene();
    const { git, dir } = repository;
    git(["config", "remote.origin.url", `https://user:${SECRET}@example.com/x.git`]);
    git(["config", "branch.main.remote", `https://${SECRET}@example.com/x.git`]);
    repository.write(".env", `${SECRET}\n`);
    repository.write("certs/Server.KEY", `${SECRET}\n`);
    repository.write(".aws/config", `${SECRET}\n`);
    repository.write("link/passwd", "text\n");
    git(["add", "-A"]);
    git(["commit", "-qm", "Second"]);
    repository.write(".env", `${SECRET}\nmore\n`);
    repository.write("link/passwd", "text\n");
    const blob = git(["rev-parse", "HEAD:.env"]).trim();
    const folderOfKeys = git(["rev-parse", "HEAD:.aws"]).trim();
    git(["update-ref", "refs/tags/blob", blob]);
    git(["update-ref", "refs/tags/tree", git(["rev-parse", "HEAD^{tree}"]).trim()]);
    rmSync(join(dir, "link"), { recursive: true });
    hostileFile(outside);
    symlinkSync(outside, join(dir, "link"));
    const shown = [
      "git remote -v",
      "git remote get-url origin",
      "git branch -vv",
      "git diff",
      "git diff HEAD~1..HEAD",
      "git diff '.en?'",
      "git log -p --all --graph",
      `git log -S${SECRET.slice(0, 4)} --format=%h`,
      "git show",
      `git show ${blob}`,
      `git show HEAD..${blob}`,
      `git show ${folderOfKeys}:config`,
      `git show ${blob.slice(0, 7)}`,
      "git show blob",
      "git show tree",
      "git show HEAD:certs",
      `git diff ${blob} HEAD~1`,
      `git log ${blob}`,
      `git grep '' ${blob}`,
      "git grep '' tree",
      "git grep '' HEAD",
      "git grep --cached ''",
      "cd certs && git grep --cached ''",
    ];
    for (const command of shown) {
      expect({ command, output: await run(command) }).toEqual({
        command,
        output: expect.not.stringContaining(SECRET),
      });
    }
    const asked = [
      "git grep ''",
      "git grep --untracked --no-exclude-standard ''",
      "git diff /dev/null .en?",
      "git diff /dev/null .env",
      "git diff --no-index /dev/null .env",
      "git show HEAD:.env",
      "git show HEAD:.aws/config",
      // Git does not take the next word as the value of these options.
      "git show -U 5",
      "git blame -ML --contents=.env a.txt",
      "git blame -CL --contents=.env a.txt",
      "git blame -ML --output=x a.txt",
      "git show HEAD:certs/Server.KEY",
      "git diff HEAD:certs HEAD:link",
      "git blame .env",
      "git blame link/passwd",
      "git show --tags",
      "git show --all",
      `git cat-file -p ${blob}`,
      "git config --list",
    ];
    for (const command of asked) {
      expect({ command, asks: await asks(command) }).toEqual({ command, asks: true });
    }
  });

  it.each(["off", "auto"] as const)(
    "[APPR-036] shows the same output as git in a terminal, with sandbox %s",
    async (sandbox) => {
      const { run, repository } = await runningScene(sandbox);
      repository.git(["checkout", "-q", "-b", "topic"]);
      repository.git(["commit", "-q", "--allow-empty", "-m", "Nothing"]);
      repository.git(["checkout", "-q", "main"]);
      repository.git(["merge", "-q", "--no-ff", "-m", "Merge", "topic"]);
      repository.write("src/new/b.ts", "export {};\n");
      for (const words of [
        "status --short",
        "diff",
        "log -p --format=%s",
        "show HEAD:a.txt",
        "branch -a",
        "blame -s a.txt",
        "rev-parse --show-toplevel",
      ]) {
        expect({ words, output: await run(`git ${words}`) }).toEqual({
          words,
          output: repository.git(words.split(" ")).trimEnd(),
        });
      }
    },
  );
});

/** Creates a file outside the repository, at a path that the index has in the working tree. */
function hostileFile(outside: string): void {
  hostileRepository(outside, join(outside, "more")).write("passwd", `${SECRET}\n`);
}
