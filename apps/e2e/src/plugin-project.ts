import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createProject, type PluginKind, type PluginLanguage } from "create-openclaw-plugin";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Modules that `npm install` would add to a new plugin's folder, with their place in this repository. */
const MODULES: Readonly<Record<string, string>> = {
  "@openclaw/plugin-sdk": "packages/plugin-sdk",
  "@openclaw/plugin-testkit": "packages/plugin-testkit",
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

/**
 * Makes a folder below which new plugins find their dependencies.
 * @param name - part of its name
 */
export function authorsFolder(name: string): TemporaryFolder {
  const folder = temporaryFolder(name);
  for (const [place, target] of Object.entries(MODULES)) {
    const path = join(folder.path, "node_modules", place);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, target), path);
  }
  const bin = join(folder.path, "node_modules/.bin");
  mkdirSync(bin);
  for (const [name, target] of Object.entries(PROGRAMS)) {
    const start = `#!/bin/sh\nexec "${process.execPath}" "${join(root, target)}" "$@"\n`;
    writeFileSync(join(bin, name), start, { mode: 0o755 });
  }
  return folder;
}

/** Output and exit code of a command. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly output: string;
}

/** A new plugin, as its author works with it. */
export interface PluginProject {
  readonly path: string;
  /** Runs a script of its `package.json`. */
  script(name: string, ...args: string[]): Promise<CommandOutcome>;
  /** Runs a program in its folder. */
  run(program: string, ...args: string[]): Promise<CommandOutcome>;
}

/**
 * Starts a plugin and changes nothing in it.
 * @param folder - made by `authorsFolder`
 * @param template - kind and language of the plugin; its id is the kind
 */
export function startProject(
  folder: TemporaryFolder,
  template: { readonly kind: PluginKind; readonly language: PluginLanguage },
): PluginProject {
  const id = `a-${template.kind}`;
  const project = { folder: join(folder.path, template.language, id), id, ...template };
  const { folder: path } = createProject(project);
  const run = async (program: string, ...args: string[]): Promise<CommandOutcome> => {
    const env = {
      PATH: `${join(folder.path, "node_modules/.bin")}:${process.env.PATH}`,
      HOME: folder.path,
      NO_COLOR: "1",
      OPENCLAW_STATE_DIR: join(path, ".state"),
    };
    try {
      const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: path, env });
      return { exitCode: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout = "", stderr = "" } = error as { code?: unknown } & CommandPrinted;
      if (typeof code !== "number") throw error;
      return { exitCode: code, output: stdout + stderr };
    }
  };
  return {
    path,
    run,
    script: (name, ...args) => run(process.execPath, "--run", name, "--", ...args),
  };
}

interface CommandPrinted {
  readonly stdout?: string;
  readonly stderr?: string;
}
