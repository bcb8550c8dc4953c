import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const CLI = "node_modules/@changesets/cli";

/** Workspace with packages in `packages`, whose releases follow the rules of this repository. */
export class ReleaseWorkspace {
  readonly #folder: TemporaryFolder;

  /**
   * Creates the workspace.
   * @param packages - manifests without names, by name
   */
  constructor(packages: Readonly<Record<string, object>>) {
    this.#folder = temporaryFolder("versions");
    const files = Object.entries(packages).map(([name, manifest]) => [
      `packages/${name.replace(/^@[^/]+\//, "")}/package.json`,
      JSON.stringify({ name, ...manifest }, null, 2),
    ]);
    this.write({
      ".gitignore": "node_modules\n",
      "package.json": JSON.stringify({ name: "workspace", private: true }),
      "pnpm-workspace.yaml": "packages: [packages/*]\n",
      "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
      "docs/project/versioning.md": "<!-- versions -->\n<!-- /versions -->\n",
      "packages/create-openclaw-plugin/templates/versions.json": "{}\n",
      ...Object.fromEntries(files),
    });
    const config = ".changeset/config.json";
    mkdirSync(join(this.#folder.path, ".changeset"));
    copyFileSync(join(root, config), join(this.#folder.path, config));
    for (const path of ["version.mjs", "sync-versions.mjs", "releasing"]) {
      const from = join(root, "scripts", path);
      cpSync(from, join(this.#folder.path, "scripts", path), { recursive: true });
    }
    mkdirSync(join(this.#folder.path, "node_modules/@changesets"), { recursive: true });
    symlinkSync(join(root, CLI), join(this.#folder.path, CLI));
    this.#git("init", "--quiet", "--initial-branch=main");
  }

  /** Deletes the workspace. */
  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  /**
   * Writes files.
   * @param files - contents by relative path
   */
  write(files: Readonly<Record<string, string>>): void {
    this.#folder.write(files);
  }

  /**
   * Returns the content of a file.
   * @param file - relative path
   */
  read(file: string): string {
    return readFileSync(join(this.#folder.path, file), "utf8");
  }

  /** Commits everything and runs `changeset version` alone. */
  runChangesets(): void {
    this.#commit();
    execFileSync(process.execPath, [join(root, CLI, "bin.js"), "version"], {
      cwd: this.#folder.path,
      stdio: "pipe",
    });
  }

  /**
   * Commits everything and runs `pnpm run version`.
   * @param args - its options
   */
  runVersion(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    this.#commit();
    const script = join(this.#folder.path, "scripts/version.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd: this.#folder.path,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  /** Returns the version of each package. */
  versions(): Record<string, string> {
    const files = globSync("packages/*/package.json", { cwd: this.#folder.path }).sort();
    const manifests = files.map((file): { name: string; version: string } =>
      JSON.parse(this.read(file)),
    );
    return Object.fromEntries(manifests.map(({ name, version }) => [name, version]));
  }

  /** Returns the names of the waiting changesets. */
  waiting(): string[] {
    return globSync(".changeset/*.md", { cwd: this.#folder.path }).sort();
  }

  #commit(): void {
    this.#git("add", "--all");
    this.#git("commit", "--quiet", "--message=a change");
  }

  #git(...args: string[]): void {
    const identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
    execFileSync("git", [...identity, ...args], { cwd: this.#folder.path, stdio: "pipe" });
  }
}
