import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";
import { generatedTimeout } from "./support/generated-cases.js";
import { HOSTILE_PERL } from "./support/perl-programs.js";
import { HOSTILE_PYTHON, OUTSIDE_PYTHON } from "./support/python-programs.js";
import { HOSTILE_RUBY } from "./support/ruby-programs.js";

/** In CI the sandbox must be there; elsewhere a machine may have none. */
const IS_OPTIONAL = process.env.CI === undefined && !existsSync("/usr/bin/bwrap");
const IS_COMPLETE = process.env.OPENCLAW_FUZZ_MS !== undefined;
const MARKER = "planted-5c0e";
/** Programs that would wait for their standard input or run until their time limit. */
const ENDLESS =
  /sleep|True: pass|while 1|wait|STDIN|stdin|select|<>|ARGF|gets|count\(|repeat\(|9\*\*|99999|-s /;

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const commands = [
  ...HOSTILE_PERL.map((words) => ["perl", ...words].map(quoted).join(" ")),
  ...HOSTILE_RUBY.map((words) => ["ruby", ...words].map(quoted).join(" ")),
  ...[...HOSTILE_PYTHON, ...OUTSIDE_PYTHON].map((code) => `python3 -c ${quoted(code)}`),
].filter((command) => !ENDLESS.test(command));
const tried = IS_COMPLETE ? commands : commands.filter((_, index) => index % 40 === 0);

it.skipIf(IS_OPTIONAL || process.platform !== "linux")(
  "[APPR-505] programs of Perl, Ruby and Python of the hostile lists change nothing and show no private file in the sandbox",
  { timeout: generatedTimeout(120_000) },
  async () => {
    const host = await createTestHost({
      plugin,
      manifest,
      files: { "README.md": "text\n", "src/a.ts": "export {};\n", ".env": `TOKEN=${MARKER}\n` },
      answer: () => "deny",
    });
    onTestFinished(() => host.dispose());
    const git = (...words: string[]) =>
      execFileSync("git", words, { cwd: host.workspaceDir, encoding: "utf8" });
    git("init", "-q");
    git("add", "-f", ".");
    const before = await readFile("/etc/passwd", "utf8");
    expect(commands.length).toBeGreaterThan(600);
    let unasked = 0;
    for (const command of tried) {
      const questions = host.questions.length;
      const { text } = await host.callTool("exec", { command });
      if (host.questions.length === questions) unasked += 1;
      expect(text, command).not.toContain(MARKER);
      expect(git("status", "--porcelain", "-uall"), command).toMatch(/^(?:A {2}\S+\n)+$/);
      expect(await readFile("/etc/passwd", "utf8"), command).toBe(before);
    }
    // Otherwise nothing was tried.
    expect(unasked).toBeGreaterThan(tried.length / 4);
  },
);
