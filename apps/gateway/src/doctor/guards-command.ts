import { resolve } from "node:path";
import { type GuardProofResult, proveGuards, TOOL_PATHS } from "@openclaw/gateway";
import { loadOperatorConfiguration } from "../configuration.js";
import { bundledExtensions, installation, sdkModules } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

/** Options of `openclaw doctor guards`. */
export interface GuardsOptions {
  prove?: boolean;
  plugin?: string[];
  json?: boolean;
}

/**
 * Runs `openclaw doctor guards`: prints the paths that tool calls take and the guards on each; with
 * `--prove`, checks that a denial is respected on every path (TURN-031).
 * @param options - `prove`, further plugins and format
 * @param context - terminal and environment
 */
export async function guardsCommand(
  { prove = false, plugin = [], json = false }: GuardsOptions,
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  if (!prove) {
    printPaths(json, terminal);
    return EXIT.ok;
  }
  const configuration = await loadOperatorConfiguration(environment);
  const proof = await proveGuards({
    version: installation.version,
    configuration,
    workspaceDir: workspaceFolderOf(environment, configuration).dir,
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    pluginPaths: plugin.map((path) => resolve(path)),
    environment,
  });
  if (json) terminal.print(JSON.stringify(proof));
  else printProof(proof.results, proof.proven, terminal);
  return proof.proven ? EXIT.ok : EXIT.negative;
}

function printPaths(json: boolean, { print, colors }: Terminal): void {
  const paths = Object.entries(TOOL_PATHS).map(([path, { title, guards }]) => ({
    path,
    title,
    guards,
  }));
  if (json) {
    print(JSON.stringify({ paths }));
    return;
  }
  for (const { path, title, guards } of paths) {
    print(`  ${path.padEnd(9)} ${title.padEnd(42)} ${colors.dim(guards.join(", "))}`);
  }
  print("Run with --prove to check that a denied call is stopped on each path.");
}

function printProof(
  results: readonly GuardProofResult[],
  proven: boolean,
  { print, colors }: Terminal,
): void {
  for (const path of new Set(results.map((result) => result.path))) {
    const own = results.filter((result) => result.path === path);
    const held = own.every(({ status }) => status === "denied");
    const guards = own.map(({ guard, status }) =>
      status === "denied" ? colors.green(`✓ ${guard}`) : colors.red(`✗ ${guard}`),
    );
    const mark = held ? colors.green("✓") : colors.red("✗");
    print(`${mark} ${path.padEnd(9)} ${own[0]?.title.padEnd(42)} ${guards.join("  ")}`);
    for (const { guard, status } of own) {
      if (status !== "denied") print(`    ${guard}: ${FAILURES[status]}`);
    }
  }
  print(
    proven
      ? "Every guard works on every path."
      : "At least one guard failed or could not be checked; see the lines marked ✗.",
  );
}

const FAILURES = {
  "let-through": "the tool ran although it was denied",
  "not-reached": "the canary call did not reach this guard",
} as const;
