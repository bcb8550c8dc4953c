import { spawn } from "node:child_process";

export interface SourceRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The package's entry point, for scripts that run in a separate process. */
export const SOURCE = new URL("../../src/index.ts", import.meta.url).href;

// Imports are written with the ending of the built file. A suffix after "?" loads a separate copy,
// including all its imports.
const RESOLVE_SOURCES = `
  import { registerHooks } from "node:module";
  registerHooks({
    resolve(specifier, context, next) {
      const { pathname, search } = new URL(context.parentURL ?? "file:///");
      const isSource = pathname.includes("/hook-runner/src/") && specifier.startsWith(".");
      return next(isSource ? specifier.replace(/\\.js$/, ".ts") + search : specifier, context);
    },
  });
`;

/** Runs a module script on the sources in a fresh Node process, with `gc()` at hand. */
export function runSource(script: string, flags: readonly string[] = []): Promise<SourceRun> {
  return runNode([...flags, "--input-type=module-typescript", `--eval=${script}`]);
}

/** Runs Node such that it can import the sources. */
export function runNode(args: readonly string[]): Promise<SourceRun> {
  const child = spawn(process.execPath, [
    "--no-warnings",
    "--expose-gc",
    "--experimental-transform-types",
    `--import=data:text/javascript,${encodeURIComponent(RESOLVE_SOURCES)}`,
    ...args,
  ]);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}
