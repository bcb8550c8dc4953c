import { existsSync, linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, toolsOf } from "../support/call-tool.js";
import { resolvedCommand } from "../support/resolved-command.js";

async function commandTree() {
  const tree = await temporaryWorkspace();
  const workspace = realpathSync(tree.workspaceDir);
  const tools = createCoreTools({ ...tree, environment: { PATH: process.env.PATH } });
  const exec = toolsOf(tools).find(({ name }) => name === "exec");
  const needOf = (command: string, workdir?: string) => {
    if (!(exec?.approval instanceof Function)) throw new Error("exec has no approval");
    // The parameters of a listed tool are unknown to the compiler.
    return exec.approval({ command, workdir } as never);
  };
  return { tree, workspace, tools, needOf };
}

/** One file for each kind of row of the table. */
const FOLLOWED_SAMPLES = [
  "AGENTS.md",
  ".git/config",
  ".envrc",
  ".openclaw/extensions/x/index.js",
  "skills/mail/SKILL.md",
  "node_modules/.bin/tsc",
  "sub/.git/hooks/pre-commit",
  "hooks/hooks.json",
  "HEARTBEAT.md",
  "docs/CLAUDE.md",
  ".vscode/tasks.json",
  ".mcp.json",
  ".bashrc",
  ".github/workflows/ci.yml",
  ".husky/pre-commit",
  "x.code-workspace",
  ".venv/bin/activate",
  ".npmrc",
  ".gitlab-ci.yml",
  "app.desktop",
  ".helix/languages.toml",
  ".bashrc.d/x",
  ".Rprofile",
] as const;

/** Commands that write the file `@` of the workspace; `^` is its folder and `%` its name. */
const COMMANDS = [
  "cp src/a.txt @",
  "cp -f -- src/a.txt ./@",
  "mv src/a.txt @",
  "ln -s ../src/a.txt @",
  "ln -f src/a.txt @",
  "install -m 644 src/a.txt @",
  "rsync -a src/a.txt @",
  "echo x | tee -a @",
  "cat src/a.txt > @",
  "cat src/a.txt >& @",
  "cat src/a.txt 3<> @",
  "rm -f @",
  "git rm @",
  "sponge @ < src/a.txt",
  "dd if=src/a.txt of=@ bs=1",
  "sed -i s/a/b/ @",
  "sed -i.bak -e s/a/b/ src/a.txt @",
  "sed 's/a/b/w @' src/a.txt",
  "perl -pi -e s/a/b/ @",
  "truncate -s 0 @",
  "touch @",
  "chmod +x @",
  "curl -fsS https://example.com/x -o @",
  "curl -fsSo@ https://example.com/x",
  "wget -qO @ https://example.com/x",
  "git checkout HEAD~1 -- @",
  "git restore --source=x @",
  "git mv src/a.txt @",
  "git -C . restore @",
  "patch @ src/a.txt",
  "sort -o @ src/a.txt",
  "uniq src/a.txt @",
  "find src -fprint @",
  "strace -o @ true",
  "tar -cf @ src",
  "gpg -o @ -d src/a.txt",
  "mytool --output=@ src",
  "mytool @",
  `python3 -c "open('@', 'w').write('x')"`,
  `awk '{ print > "@" }' src/a.txt`,
  "sudo cp src/a.txt @",
  "env A=1 nice tee @",
  "bash -c 'cp src/a.txt @'",
  "if true; then cp src/a.txt @; fi",
  "find src -name a.txt -exec cp {} @ \\;",
  "ls src | xargs -I{} cp src/{} @",
  "mkdir -p ^ && cd ^ && touch %",
  "cp src/a.txt other/../@",
];

describe("approval of a command that writes a followed file", () => {
  it("[APPR-280, APPR-600] is needed each time: every program that writes, with every kind of followed file", {
    timeout: 120_000,
  }, async () => {
    const { needOf, tree } = await commandTree();
    await tree.file("workspace/src/a.txt", "a");
    await tree.folder("workspace/other");
    const missed: string[] = [];
    for (const [at, file] of FOLLOWED_SAMPLES.entries()) {
      const name = file.slice(file.lastIndexOf("/") + 1);
      const folder = file.includes("/") ? file.slice(0, -name.length - 1) : ".";
      // Every command with some files, and every file with some commands.
      for (const [index, template] of COMMANDS.entries()) {
        if (at > 5 && (index + at) % 5 !== 0) continue;
        const command = template
          .replaceAll("@", file)
          .replaceAll("^", folder)
          .replaceAll("%", name);
        const need = await needOf(command);
        const isAsked = typeof need === "object" && "asksEachTime" in need && need.asksEachTime;
        if (!isAsked || !need.description?.includes("as code, settings or instructions")) {
          missed.push(command);
        }
      }
    }
    expect(missed).toEqual([]);
    for (const template of COMMANDS) {
      const command = template
        .replaceAll("@", "src/b.txt")
        .replaceAll("^", "src")
        .replaceAll("%", "b");
      expect([command, await needOf(command)]).toEqual([command, "unless-granted"]);
    }
  });

  it("[APPR-280] names the file and its reader, and covers nothing else", async () => {
    const { needOf, workspace } = await commandTree();
    expect(await needOf("cp a AGENTS.md && tee .git/config")).toEqual({
      need: "unless-granted",
      description:
        "Changes AGENTS.md, which coding agents follow as code, settings or instructions, and .git/config, which git follows as code, settings or instructions.",
      grantKey: JSON.stringify([join(workspace, ".git/config"), join(workspace, "AGENTS.md")]),
      covers: `that writes exactly ${join(workspace, ".git/config")} and ${join(workspace, "AGENTS.md")}`,
      asksEachTime: true,
    });
  });

  it.each([
    ["a pattern", "sed -i s/a/b/ *.md"],
    ["another letter case", "cp src/a.txt agents.MD"],
    ["a symbolic link", "cp src/a.txt link"],
    ["a hard link", "tee hard"],
    ["a link to its folder", "tee dir/config"],
    ["a folder that it enters", "cd .git && cp ../src/a.txt config"],
    ["a folder that it may have entered", "cd .git || true; tee config"],
    ["a subshell in its folder", "(cd .git; tee config)"],
    ["the name of a source", "cp templates/AGENTS.md docs/"],
    ["the name of a source, in a folder that it creates", "mkdir new; cp templates/AGENTS.md new"],
    ["a folder that is copied", "cp -r templates/. docs"],
    ["a folder that is renamed", "mv templates/ci .github"],
    ["a link that it creates", "ln -s AGENTS.md x && tee x"],
    ["a folder that it renames away", "mv .git g && tee g/config"],
    ["the working folder", "tee config"],
  ])("[APPR-280, APPR-600] finds it by %s", async (_what, command) => {
    const { needOf, tree, workspace } = await commandTree();
    for (const file of ["src/a.txt", "AGENTS.md", ".git/config", "templates/AGENTS.md"]) {
      await tree.file(`workspace/${file}`, "a");
    }
    await tree.file("workspace/templates/ci/workflows/ci.yml", "a");
    mkdirSync(join(workspace, "docs"));
    symlinkSync("AGENTS.md", join(workspace, "link"));
    linkSync(join(workspace, "AGENTS.md"), join(workspace, "hard"));
    symlinkSync(".git", join(workspace, "dir"));
    const need = await needOf(command, command === "tee config" ? ".git" : undefined);
    expect(need).toMatchObject({ asksEachTime: true });
  });

  it("[APPR-280] is rejected when it runs without one and a link took the place of its file", async () => {
    const { tools, tree, workspace } = await commandTree();
    await tree.file("workspace/a.txt", "a");
    await tree.file("workspace/AGENTS.md", "kept");
    symlinkSync("AGENTS.md", join(workspace, "b.txt"));
    for (const command of ["cp a.txt b.txt", "echo x > b.txt"]) {
      const { literal = { pipelines: [] } } = await parseCommand(command);
      const authorization = { run: "parsed", command: resolvedCommand(literal) } as const;
      const result = await callTool(tools, "exec", { command }, { authorization });
      expect(refusalOf(result, "refused")).toContain("coding agents follow");
    }
    const { literal = { pipelines: [] } } = await parseCommand("cp a.txt c.txt");
    const authorization = { run: "parsed", command: resolvedCommand(literal) } as const;
    await callTool(tools, "exec", { command: "cp a.txt c.txt" }, { authorization });
    expect(existsSync(join(workspace, "c.txt"))).toBe(true);
    writeFileSync(join(workspace, "b.txt"), "kept");
  });
});
