import { execFile } from "node:child_process";
import { access, constants, open, realpath, stat } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import type { RuntimeState } from "../backends/backend.js";

/** Oldest version whose protocol the bridge speaks. */
const OLDEST = [2, 0, 0] as const;
const PROBE_MS = 20_000;
const REMEDY =
  "install Claude Code 2 or newer, `npm install -g @anthropic-ai/claude-code`, or name it in jobs.claudeCode.program";

/** The user's own Claude Code. */
export interface ClaudeProgram {
  /** File or folder of the host that the sandbox shows. */
  readonly source: string;
  /** Path of the program below it; empty for the file itself. */
  readonly entry: string;
  readonly version: string;
}

/** Finds the user's own `claude`, and probes its version. */
export class ClaudePrograms {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #named: () => string | undefined;
  #probed: { readonly key: string; readonly version: string } | undefined;

  /**
   * @param environment - with `PATH` and `HOME`
   * @param named - returns the program of the configuration; `claude` when undefined
   */
  constructor(environment: NodeJS.ProcessEnv, named: () => string | undefined) {
    this.#environment = environment;
    this.#named = named;
  }

  /** Returns the program, or what is missing. */
  async find(): Promise<ClaudeProgram | Extract<RuntimeState, { isAvailable: false }>> {
    const name = this.#named() ?? "claude";
    const found = await this.#locate(name);
    if (found === undefined) return missing(`the program ${name} was not found`);
    const path = await realpath(found);
    const kind = await kindOf(path);
    if (kind === "script") {
      return missing(`${found} is a shell script, which starts a program that a sandbox lacks`);
    }
    const version = await this.#version(path, kind === "node");
    if (version === undefined) return missing(`${found} --version names no version`);
    if (isOlder(version)) return missing(`${found} is version ${version}`);
    // A program of Node may load files beside it.
    return kind === "binary"
      ? { source: path, entry: "", version }
      : { source: dirname(path), entry: basename(path), version };
  }

  /** Returns whether there is a program that the bridge can use. */
  async state(): Promise<RuntimeState> {
    const found = await this.find();
    return "version" in found ? { isAvailable: true, version: found.version } : found;
  }

  async #locate(name: string): Promise<string | undefined> {
    const folders = (this.#environment.PATH ?? "").split(delimiter).filter(isAbsolute);
    const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
    for (const path of candidates) {
      const isProgram = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isProgram && (await stat(path)).isFile()) return path;
    }
    return undefined;
  }

  async #version(path: string, isScript: boolean): Promise<string | undefined> {
    const { mtimeMs, size } = await stat(path);
    const key = `${path} ${mtimeMs} ${size}`;
    if (this.#probed?.key === key) return this.#probed.version;
    const { PATH, HOME } = this.#environment;
    const output = await new Promise<string>((resolve) => {
      const options = { timeout: PROBE_MS, env: { PATH, HOME, DISABLE_AUTOUPDATER: "1" } };
      // A script runs in this Node, as inside the sandbox.
      const [program, ...words] = isScript ? [process.execPath, path] : [path];
      execFile(program ?? path, [...words, "--version"], options, (_error, stdout) =>
        resolve(stdout),
      );
    });
    const [version] = /\d+\.\d+\.\d+/.exec(output) ?? [];
    if (version !== undefined) this.#probed = { key, version };
    return version;
  }
}

async function kindOf(path: string): Promise<"binary" | "node" | "script"> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(128) });
    const [line = ""] = buffer.subarray(0, bytesRead).toString("latin1").split("\n");
    if (!line.startsWith("#!")) return "binary";
    return /\bnode\b/.test(line) ? "node" : "script";
  } finally {
    await file.close();
  }
}

function isOlder(version: string): boolean {
  const numbers = version.split(".").map(Number);
  for (const [index, oldest] of OLDEST.entries()) {
    const number = numbers[index] ?? 0;
    if (number !== oldest) return number < oldest;
  }
  return false;
}

function missing(cause: string): Extract<RuntimeState, { isAvailable: false }> {
  return { isAvailable: false, cause, remedy: REMEDY };
}
