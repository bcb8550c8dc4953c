import { describe, expect, it } from "vitest";
import { followedFile, followedNames } from "../../src/approvals.js";

describe("the table of followed files", () => {
  it.each([
    ["git", [".git", ".git/config", ".git/hooks/pre-commit", "a/b/.git/config", ".gitattributes"]],
    [
      "git",
      [".gitmodules", ".husky/pre-push", "lefthook.yml", ".pre-commit-config.yaml", "sub/HEAD"],
    ],
    ["git", [".sl/config", ".bzr/branch/branch.conf", "commitlint.config.js", ".gitlint"]],
    ["shells", [".prototools", ".vfox.toml", ".rtx.toml", "mise/config.toml", ".autoenv.zsh"]],
    ["package managers", [".corepack.env", ".condarc", "pip.ini", "uv.toml"]],
    ["developer tools", [".iex.exs", ".erlang", ".octaverc", ".Renviron", "rootlogon.C"]],
    ["the host", [".openclaw/extensions/x/index.js", "hooks/hooks.json", "skills/mail/SKILL.md"]],
    ["the host", ["HEARTBEAT.md", "SOUL.md", "plugin/openclaw.plugin.json"]],
    ["coding agents", ["AGENTS.md", "docs/AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md"]],
    [
      "coding agents",
      [".mcp.json", ".cursor/rules/x.mdc", ".claude/settings.json", ".cursorrules"],
    ],
    ["coding agents", [".github/copilot-instructions.md", ".windsurfrules", ".codex/config.toml"]],
    ["editors", [".vscode/tasks.json", "x.code-workspace", ".idea/workspace.xml", ".exrc"]],
    ["editors", [".devcontainer/devcontainer.json", ".dir-locals.el"]],
    [
      "shells",
      [".envrc", ".bashrc", ".zshenv", ".profile", ".config/fish/config.fish", "mise.toml"],
    ],
    [
      "package managers",
      ["node_modules/.bin/tsc", "a/node_modules/.bin/x", ".npmrc", ".yarnrc.yml"],
    ],
    ["package managers", [".venv/bin/activate", ".cargo/config.toml", ".pnpmfile.cjs"]],
    ["developer tools", [".gdbinit", ".curlrc", ".ssh/config"]],
    ["CI", [".github/workflows/ci.yml", ".gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile"]],
    ["the desktop", ["x.desktop", ".config/autostart/x", "Library/LaunchAgents/x.plist"]],
  ])("[APPR-280] names the reader of a file: %s", (by, paths) => {
    for (const path of paths) {
      expect([path, followedFile(path)?.by]).toEqual([path, by]);
      expect([path, followedFile(`/srv/project/deep/er/${path}`)?.by]).toEqual([path, by]);
    }
  });

  it.each([
    [".GIT/config"],
    [".Git\\Config"],
    ["git~1/config"],
    ["a/../.git/./config"],
    [".git//hooks/x"],
    [".g\u200cit/config"],
    [".git\u00ad/config"],
    [".ｇｉｔ/config"],
    [".git. . /config"],
    [".git::$INDEX_ALLOCATION/config"],
    ["agents.MD"],
    ["AGENTS.md."],
    ["AGENTS.md::$DATA"],
    ["skills/x/skill.md"],
    [".ENVRC"],
    ["sub/Node_Modules/.bin/x"],
  ])("[APPR-280] sees through the spelling %s", (path) => {
    expect(followedFile(path)).toBeDefined();
  });

  it("[APPR-280] has no file that takes effect only when the user runs the project", () => {
    const paths = [
      "package.json",
      "Makefile",
      "Dockerfile",
      "src/index.ts",
      "src/git/config.ts",
      ".gitignore",
      "README.md",
      "docs/agents.html",
      "my.git.txt",
      "src/openclaw/x.ts",
      "header",
      "src/head.ts",
      "node_modules/x/index.js",
      ".github/ISSUE_TEMPLATE/bug.md",
      "hooks/use-thing.ts",
      "skills.md",
      "envrc.md",
      "src/mise/index.ts",
      "",
      ".",
      "..",
    ];
    expect(paths.filter((path) => followedFile(path) !== undefined)).toEqual([]);
  });

  it("[APPR-280] lists the names that are not patterns, each of which it matches", () => {
    expect(followedNames()).toContain("node_modules/.bin");
    expect(followedNames().filter((name) => followedFile(name) === undefined)).toEqual([]);
  });
});
