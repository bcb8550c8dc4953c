import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createProject, type PluginKind, type PluginLanguage } from "create-openclaw-plugin";
import { LINKED_PACKAGES_CONFIGURATION } from "./vitest-configuration.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Modules that `npm install` would add to a new plugin's folder, with their place in this repository. */
const MODULES: Readonly<Record<string, string>> = {
  "@openclaw/plugin-sdk": "packages/plugin-sdk",
  "@openclaw/plugin-testkit": "packages/plugin-testkit",
  "@openclaw/platform-fakes": "packages/platform-fakes",
  openclaw: "apps/gateway",
  "@ai-sdk/openai-compatible":
    "extensions/openai-compatible/node_modules/@ai-sdk/openai-compatible",
  "@biomejs/biome": "node_modules/@biomejs/biome",
  "@types/node": "node_modules/@types/node",
  typescript: "node_modules/typescript",
  vitest: "node_modules/vitest",
};

const PROGRAMS: Readonly<Record<string, string>> = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  openclaw: "apps/gateway/bin/openclaw.cjs",
  tsc: "node_modules/typescript/bin/tsc",
  vitest: "node_modules/vitest/vitest.mjs",
};

/** A folder below which new plugins find their dependencies. */
export interface AuthorsFolder extends TemporaryFolder {
  /** Runs a program in the folder, so that it sees every plugin. */
  run(program: string, ...args: string[]): Promise<CommandOutcome>;
}

/**
 * Makes a folder below which new plugins find their dependencies.
 * @param name - part of its name
 */
export function authorsFolder(name: string): AuthorsFolder {
  const folder = temporaryFolder(name);
  for (const [place, target] of Object.entries(MODULES)) {
    const path = join(folder.path, "node_modules", place);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, target), path);
  }
  const bin = join(folder.path, "node_modules/.bin");
  mkdirSync(bin);
  for (const [program, target] of Object.entries(PROGRAMS)) {
    const start = `#!/bin/sh\nexec "${process.execPath}" "${join(root, target)}" "$@"\n`;
    writeFileSync(join(bin, program), start, { mode: 0o755 });
  }
  folder.write({ "vitest.config.mjs": LINKED_PACKAGES_CONFIGURATION });
  return { ...folder, run: (program, ...args) => runIn(folder, folder.path, program, args) };
}

/** Output and exit code of a command. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly output: string;
}

/** A new plugin, as its author works with it. */
export interface PluginProject {
  readonly id: string;
  readonly path: string;
  /** Runs a script of its `package.json`. */
  script(name: string, ...args: string[]): Promise<CommandOutcome>;
  /** Runs a program in its folder. */
  run(program: string, ...args: string[]): Promise<CommandOutcome>;
}

/**
 * Starts a plugin and changes nothing in it.
 * @param authors - made by `authorsFolder`
 * @param template - kind and language, which make its id
 */
export function startProject(
  authors: AuthorsFolder,
  template: { readonly kind: PluginKind; readonly language: PluginLanguage },
): PluginProject {
  const id = `${template.language}-${template.kind}`;
  const { folder: path } = createProject({ folder: join(authors.path, id), id, ...template });
  return {
    id,
    path,
    run: (program, ...args) => runIn(authors, path, program, args),
    script: (name, ...args) =>
      runIn(authors, path, process.execPath, ["--run", name, "--", ...args]),
  };
}

async function runIn(
  { path: home }: TemporaryFolder,
  cwd: string,
  program: string,
  args: readonly string[],
): Promise<CommandOutcome> {
  const env = {
    PATH: `${join(home, "node_modules/.bin")}:${process.env.PATH}`,
    HOME: home,
    NO_COLOR: "1",
    OPENCLAW_STATE_DIR: join(cwd, ".state"),
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env });
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown } & CommandPrinted;
    if (typeof code !== "number") throw error;
    return { exitCode: code, output: stdout + stderr };
  }
}

interface CommandPrinted {
  readonly stdout?: string;
  readonly stderr?: string;
}
