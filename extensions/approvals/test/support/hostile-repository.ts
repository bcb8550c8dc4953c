import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Environment that isolates a test from the settings of the machine. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** Repository that tries to make git start a program. */
export interface HostileRepository {
  readonly dir: string;
  /** Program outside the repository that leaves a trace. */
  readonly program: string;
  /** Runs git as a person would, in the repository or a folder of it. */
  git(words: readonly string[], folder?: string): string;
  /** Runs git as the victim would, and ignores errors. */
  attack(words: readonly string[], folder?: string): void;
  /** Writes a file of the repository. */
  write(path: string, content: string): void;
  /** Returns whether the program was started since the last call. */
  wasStarted(): boolean;
}

/**
 * Creates a repository with one commit of `a.txt`, and changes that file.
 * @param dir - existing folder
 * @param outside - folder for the program
 */
export function hostileRepository(dir: string, outside: string): HostileRepository {
  const trace = join(outside, "trace");
  const program = join(outside, "program");
  mkdirSync(outside, { recursive: true });
  writeFileSync(program, `#!/bin/sh\necho >> '${trace}'\nexit 1\n`);
  chmodSync(program, 0o755);
  const repository: HostileRepository = {
    dir,
    program,
    git: (words, folder = dir) =>
      execFileSync("git", words, {
        cwd: folder,
        env: ENVIRONMENT,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
    attack: (words, folder = dir) =>
      void spawnSync("git", words, { cwd: folder, env: ENVIRONMENT, timeout: 10_000 }),
    write(path, content) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    },
    wasStarted() {
      const isThere = existsSync(trace);
      rmSync(trace, { force: true });
      return isThere;
    },
  };
  const { git, write } = repository;
  git(["init", "-q", "-b", "main"]);
  git(["config", "user.email", "a@example.com"]);
  git(["config", "user.name", "A"]);
  write("a.txt", "one\n");
  git(["add", "a.txt"]);
  git(["commit", "-qm", "First"]);
  write("a.txt", "two\n");
  return repository;
}
