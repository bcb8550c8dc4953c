import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { installation } from "../installation.js";
import { UpdateFailedError, UpdateRefusedError } from "./errors.js";
import type { InstalledCopy, StagedVersion } from "./installed-copy.js";
import { runProgram } from "./run-program.js";

/** Time for npm to download and unpack, in milliseconds. */
const INSTALL_MS = 600_000;
/** Parts of an installation, in the folder of a package that depends on `openclaw`. */
const PARTS = ["package.json", "package-lock.json", "node_modules"];

/** Archive of `openclaw`; npm puts the scope of a package before its name. */
const ARCHIVE = /^(?:[\w.-]+-)?openclaw-\d/;

/** Folder of a package that has `openclaw` as a dependency, made with `npm install <archives>`. */
export class PackageFolder implements InstalledCopy {
  readonly #folder: string;
  readonly #name: string;
  readonly #environment: NodeJS.ProcessEnv;

  /**
   * @param folder - folder with `package.json` and `node_modules`
   * @param name - name of the dependency, which has a scope when the publisher chose one
   * @param environment - environment variables for npm
   */
  constructor(folder: string, name: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#name = name;
    this.#environment = environment;
  }

  async stage(from: string | undefined): Promise<StagedVersion> {
    const archives = archivesOf(from);
    // Beside the folder, so that relative paths of archives mean the same, and moving is renaming.
    const beside = (name: string) =>
      join(dirname(this.#folder), `.${basename(this.#folder)}-${name}`);
    const [next, previous] = [beside("next"), beside("previous")];
    for (const folder of [next, previous]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(next);
    for (const part of PARTS.slice(0, 2)) {
      const file = join(this.#folder, part);
      if (existsSync(file)) copyFileSync(file, join(next, part));
    }
    const args = ["install", "--no-audit", "--no-fund", "--prefix", next, ...archives];
    const environment = this.#environment;
    const result = await runProgram("npm", args, {
      cwd: next,
      environment,
      deadlineMs: INSTALL_MS,
    });
    const discard = () => {
      for (const folder of [next, previous]) rmSync(folder, { recursive: true, force: true });
    };
    if (result.exitCode !== 0) {
      discard();
      const problem = `could not be installed by npm (exit code ${result.exitCode})`;
      throw new UpdateFailedError(`of ${from}`, problem, "nothing was changed", result.output);
    }
    const name = versionIn(join(next, "node_modules", this.#name));
    return {
      name,
      isCurrent: name === installation.version,
      activate: async () => {
        mkdirSync(previous);
        move(this.#folder, previous);
        move(next, this.#folder);
      },
      revert: async () => {
        for (const part of PARTS)
          rmSync(join(this.#folder, part), { recursive: true, force: true });
        move(previous, this.#folder);
      },
      discard,
    };
  }
}

function archivesOf(from: string | undefined): readonly string[] {
  if (from === undefined) {
    throw new UpdateRefusedError(
      "OpenClaw is not published to a registry yet",
      "name an archive or a folder of archives with --from",
    );
  }
  const path = resolve(from);
  if (!existsSync(path)) throw new UpdateRefusedError(`${path} does not exist`, "check the path");
  if (!statSync(path).isDirectory()) return [path];
  const archives = readdirSync(path).filter((file) => file.endsWith(".tgz"));
  if (archives.some((file) => ARCHIVE.test(file))) {
    return archives.map((file) => join(path, file));
  }
  throw new UpdateRefusedError(
    `${path} does not contain an archive openclaw-<version>.tgz`,
    "write the archives there with `pnpm pack` in each package",
  );
}

function versionIn(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return String(Object(manifest).version);
}

function move(from: string, to: string): void {
  for (const part of PARTS) {
    if (existsSync(join(from, part))) renameSync(join(from, part), join(to, part));
  }
}
