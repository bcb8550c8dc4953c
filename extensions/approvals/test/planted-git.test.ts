import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost, parseCommand } from "@openclaw/plugin-testkit";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import { createCommandEvaluator } from "../src/command-evaluator.js";
import plugin from "../src/index.js";
import { fuzzedCases, generatedTimeout } from "./support/generated-cases.js";
import { type HostileRepository, hostileRepository } from "./support/hostile-repository.js";

const SHORT_RUNS = 60;
const MARKER = "planted-e27a";

/**
 * Prepares a repository with private files in every place that git reads, and settings that name a
 * program.
 */
function plant(repository: HostileRepository, outside: string): string[] {
  const { dir, git, program, write } = repository;
  for (const path of [".env", "src/.env.local", "certs/server.key", ".ssh/id_rsa", "x/.npmrc"]) {
    write(path, `${MARKER}\n`);
  }
  write("src/a.ts", "export {};\n");
  write("link/passwd", "text\n");
  git(["add", "-A"]);
  git(["commit", "-qm", "Second"]);
  const blob = git(["rev-parse", "HEAD:.env"]).trim();
  git(["update-ref", "refs/tags/blob", blob]);
  git(["update-ref", "refs/tags/tree", git(["rev-parse", "HEAD^{tree}"]).trim()]);
  write(".env", `changed\n${MARKER}\n`);
  git(["stash", "-q"]);
  write("src/.env.local", `${MARKER}\nstaged\n`);
  git(["add", "src/.env.local"]);
  write("certs/server.key", `${MARKER}\nchanged\n`);
  write("certs/new.pem", `${MARKER}\n`);
  write("src/a.ts", "export const a = 1;\n");
  rmSync(join(dir, "link"), { recursive: true });
  writeFileSync(join(outside, "passwd"), `${MARKER}\n`);
  symlinkSync(outside, join(dir, "link"));
  write("src/--output=made", "");
  for (const key of ["core.fsmonitor", "core.pager", "core.editor", "core.hooksPath"]) {
    git(["config", key, program]);
  }
  git(["config", "remote.origin.url", `https://user:${MARKER}@example.com/x.git`]);
  return [blob, blob.slice(0, 8), "blob", "tree", "stash", "stash^2"];
}

/** Returns every path of a folder with its content, so that any change is visible. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${readFileSync(path, "latin1")}` : path;
    })
    .sort();
}

const SUBCOMMANDS =
  "status diff log show ls-files blame grep branch tag rev-parse describe shortlog ls-tree remote stash cat-file".split(
    " ",
  );
const WORDS =
  "HEAD HEAD~1 HEAD..blob main .. . -- -p -1 -n 5 -S planted -G planted -s -v -vv -z -a -e -O -U9 -L 1,3 -M --all --tags --cached --staged --stat --graph --follow --oneline --list list get-url origin --format=%H%n%b --format=%G? --patch --textconv --ext-diff --no-index --untracked --no-exclude-standard --output=made --output made --contents src src/a.ts a.txt .env certs certs/server.key link link/passwd src/.env.local ../outside /etc/passwd /dev/null HEAD:.env HEAD:src HEAD:src/a.ts HEAD:certs/server.key :.env :(top).env '*' '.en?' '' planted --porcelain --ignored --others --stage -r --name-only --show-toplevel --git-dir --word-diff".split(
    " ",
  );

it("[APPR-037][APPR-038] allows git without approval only if it shows no planted text, writes nothing and starts nothing", {
  timeout: generatedTimeout(120_000),
}, async () => {
  const config = { tools: { exec: { sandbox: "off" } } } as const;
  const host = await createTestHost({ plugin, manifest, answer: () => "deny", config });
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  onTestFinished(async () => {
    await host.dispose();
    rmSync(outside, { recursive: true, force: true });
  });
  const { workspaceDir } = host;
  const repository = hostileRepository(workspaceDir, outside);
  const revisions = plant(repository, outside);
  for (const words of [["show", "blob"], ["stash", "show", "-p"], ["diff"], ["remote", "-v"]]) {
    expect(repository.git(words)).toContain(MARKER);
  }
  repository.wasStarted();
  const before = snapshot(workspaceDir);
  const evaluator = createCommandEvaluator({}, process.env.PATH ?? "");
  const word = fc.constantFrom(...WORDS, ...revisions);
  const command = fc
    .tuple(
      fc.constantFrom("git ", "git -C src ", "cd certs && git ", "cd src; git "),
      fc.constantFrom(...SUBCOMMANDS),
      fc.array(word, { maxLength: 4 }),
    )
    .map(([git, ...words]) => `${git}${words.flat().join(" ")}`);
  let ran = 0;
  const property = fc.asyncProperty(command, async (source) => {
    const { decision } = await evaluator.evaluate(await parseCommand(source), { workspaceDir });
    if (decision !== "run") return;
    ran += 1;
    const { text } = await host.callTool("exec", { command: source });
    expect(text, source).not.toContain(MARKER);
    expect(repository.wasStarted(), source).toBe(false);
    expect(snapshot(workspaceDir), source).toEqual(before);
  });
  await fc.assert(property, fuzzedCases(SHORT_RUNS));
  expect(ran).toBeGreaterThan(5);
  expect(host.questions).toEqual([]);
});
