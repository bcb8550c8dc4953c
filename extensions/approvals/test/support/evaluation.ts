import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCommand } from "@openclaw/plugin-testkit";
import {
  type CommandVerdict,
  createCommandEvaluator,
  type ShellCall,
} from "../../src/command-evaluator.js";
import type { ApprovalsConfig } from "../../src/index.js";

const PROGRAMS =
  "awk basename comm cmp dirname du echo egrep false fgrep ln printf pwd readlink realpath rev sha256sum sleep sqlite3 tac test touch true nl bash busybox cat chmod curl cut date dd diff docker echo env fd file find git grep head jq kill ls make nice node nohup npm perl pnpm python3 rg rm ruby sed seq sh sort stat stdbuf sudo tail tar tee timeout tr tree uname uniq vim wc which xargs".split(
    " ",
  );

/**
 * Machine on which commands are evaluated: a workspace, and a folder with programs that do nothing.
 */
export interface EvaluationPlace extends Disposable {
  readonly workspaceDir: string;
  /** Folder of the programs, next to the workspace. */
  readonly bin: string;
  /** Value of `PATH`. */
  readonly path: string;
  /**
   * Evaluates a command as a call of `exec` in the workspace.
   * @param command - command for the shell
   * @param config - configuration of the extension
   * @param call - differences from the default call
   */
  evaluate(
    command: string,
    config?: ApprovalsConfig,
    call?: Partial<ShellCall>,
  ): Promise<CommandVerdict>;
}

/**
 * Creates the place: a small project with a private file, links that lead out, and a nested
 * repository.
 * @param programs - further programs
 */
export function evaluationPlace(programs: readonly string[] = []): EvaluationPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "approvals-")));
  const workspaceDir = join(root, "workspace");
  const bin = join(root, "bin");
  const folders = [".git/objects", ".git/refs", "src/deep", "evil/objects", "evil/refs", "bin"];
  for (const folder of folders) {
    mkdirSync(join(workspaceDir, folder), { recursive: true });
  }
  mkdirSync(join(root, "outside/deep"), { recursive: true });
  mkdirSync(bin);
  for (const file of [
    ".env",
    "README.md",
    "data.db",
    "package.json",
    "evil/HEAD",
    "src/a.ts",
    "src/deep/b.ts",
  ]) {
    writeFileSync(join(workspaceDir, file), "text\n");
  }
  writeFileSync(join(workspaceDir, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(workspaceDir, ".git/config"), "[core]\n\trepositoryformatversion = 0\n");
  writeFileSync(join(root, "outside/secret.txt"), "secret\n");
  symlinkSync(join(root, "outside/secret.txt"), join(workspaceDir, "src/link.txt"));
  symlinkSync(join(root, "outside/deep"), join(workspaceDir, "src/out"));
  for (const name of [...PROGRAMS, ...programs]) program(join(bin, name));
  for (const name of ["ls", "tool"]) program(join(workspaceDir, "bin", name));
  return {
    workspaceDir,
    bin,
    path: bin,
    async evaluate(command, config = {}, call = {}) {
      const evaluator = createCommandEvaluator(config, bin);
      return evaluator.evaluate(await parseCommand(command), { workspaceDir, ...call });
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function program(file: string): void {
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
}
