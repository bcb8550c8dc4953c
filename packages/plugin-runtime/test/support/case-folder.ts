import { execFile } from "node:child_process";
import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";

const CASES = join(import.meta.dirname, "../cases");
const RUNNER = join(import.meta.dirname, "run-cases.mjs");

/** Expected result of a case; each object may have fewer fields than the actual one. */
export interface CaseExpectation {
  readonly plugins?: readonly Record<string, unknown>[];
  /** All of them in this order, but for the part of message and hint that is given. */
  readonly diagnostics?: readonly Partial<PluginDiagnostic>[];
  readonly logs?: readonly string[];
  readonly [field: string]: unknown;
}

/** One folder of `test/cases`: plugins, and their expected result. */
export interface PluginCase {
  readonly sentence: string;
  readonly expect: CaseExpectation;
  /** Folders that get a name which version control or tools would not let them have. */
  readonly move?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly modes?: Readonly<Record<string, string>>;
  /** Files that are filled up to a size, in bytes. */
  readonly pad?: Readonly<Record<string, number>>;
}

/** Result of the runner. */
export interface CaseResult {
  readonly plugins: readonly Record<string, unknown>[];
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly logs: readonly { readonly message: string }[];
  readonly [field: string]: unknown;
}

/**
 * Reads every case.
 */
export async function readCases(): Promise<Map<string, PluginCase>> {
  const cases = new Map<string, PluginCase>();
  for (const name of (await readdir(CASES)).sort()) {
    cases.set(name, JSON.parse(await readFile(join(CASES, name, "case.json"), "utf8")));
  }
  return cases;
}

/**
 * Copies every case to a folder far from the repository and loads them all in one plain Node process.
 * Files that no tool should read carry `.txt` behind their real name in the repository.
 * @param cases - as read
 */
export async function runCases(
  cases: ReadonlyMap<string, PluginCase>,
): Promise<Map<string, CaseResult>> {
  const root = await mkdtemp(join(tmpdir(), "plugin-cases-"));
  try {
    for (const [name, plan] of cases) await layOut(join(root, name), join(CASES, name), plan);
    const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, root], {
      maxBuffer: 16 * 1024 * 1024,
    });
    return new Map(Object.entries(JSON.parse(stdout) as Record<string, CaseResult>));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function layOut(target: string, source: string, plan: PluginCase): Promise<void> {
  await cp(source, target, { recursive: true });
  for (const entry of await readdir(target, { recursive: true })) {
    if (entry.endsWith(".txt")) await rename(join(target, entry), join(target, entry.slice(0, -4)));
  }
  for (const [from, to] of Object.entries(plan.move ?? {})) {
    await rename(join(target, from), join(target, to));
  }
  for (const [link, to] of Object.entries(plan.links ?? {})) await symlink(to, join(target, link));
  for (const [path, mode] of Object.entries(plan.modes ?? {})) {
    await chmod(join(target, path), Number.parseInt(mode, 8));
  }
  for (const [path, size] of Object.entries(plan.pad ?? {})) {
    const content = await readFile(join(target, path), "utf8");
    await writeFile(join(target, path), content.padEnd(size));
  }
}
