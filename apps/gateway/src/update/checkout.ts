import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UpdateFailedError, UpdateRefusedError } from "./errors.js";
import type { InstalledCopy, StagedVersion } from "./installed-copy.js";
import { runProgram } from "./run-program.js";

/** Time for a fetch, an installation or a build, in milliseconds. */
const STEP_MS = 900_000;

/** Source checkout, which git updates and pnpm builds. */
export class Checkout implements InstalledCopy {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  /**
   * @param folder - root of the checkout
   * @param environment - environment variables for git and pnpm
   */
  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
  }

  async stage(from: string | undefined): Promise<StagedVersion> {
    const changed = await this.#git("status", "--porcelain", "--untracked-files=no");
    if (changed !== "") {
      throw new UpdateRefusedError(
        `files of the checkout ${this.#folder} were changed`,
        "commit or stash them",
      );
    }
    const before = await this.#git("rev-parse", "HEAD");
    await this.#git("fetch", "--quiet");
    const after = await this.#git("rev-parse", "--verify", `${from ?? "@{upstream}"}^{commit}`);
    return {
      name: after.slice(0, 12),
      isCurrent: after === before,
      activate: () => this.#use(after),
      revert: () => this.#use(before),
      discard: () => {},
    };
  }

  async #use(revision: string): Promise<void> {
    // Keeps the branch, and fails instead of overwriting a file that was changed meanwhile.
    await this.#git("reset", "--quiet", "--keep", revision);
    const manifest = JSON.parse(readFileSync(join(this.#folder, "package.json"), "utf8"));
    const pnpm = ["-y", String(Object(manifest).packageManager)];
    await this.#run(revision, "npx", [...pnpm, "install", "--frozen-lockfile"]);
    await this.#run(revision, "npx", [...pnpm, "build"]);
  }

  async #git(...args: readonly string[]): Promise<string> {
    const options = { cwd: this.#folder, environment: this.#environment, deadlineMs: STEP_MS };
    const { exitCode, stdout, output } = await runProgram("git", args, options);
    if (exitCode === 0) return stdout.trim();
    throw new UpdateRefusedError(
      `\`git ${args.join(" ")}\` failed (${output.trim()})`,
      "correct it in the checkout, or name a revision with --from",
    );
  }

  async #run(revision: string, program: string, args: readonly string[]): Promise<void> {
    const options = { cwd: this.#folder, environment: this.#environment, deadlineMs: STEP_MS };
    const { exitCode, output } = await runProgram(program, args, options);
    if (exitCode === 0) return;
    const command = [program, ...args].join(" ");
    const problem = `could not be built (\`${command}\` ended with ${exitCode})`;
    throw new UpdateFailedError(revision.slice(0, 12), problem, "see its output", output);
  }
}
