import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CompatibilityPart, CompatibilityReport } from "./report.js";

/** Manifests of bundles of other tools. */
const MANIFESTS = [
  ".claude-plugin/plugin.json",
  ".codex-plugin/plugin.json",
  ".cursor-plugin/plugin.json",
] as const;

const UNSUPPORTED = {
  commands: "prompts of slash commands are not loaded; make a skill of each",
  agents:
    "descriptions of agents are not loaded; describe the agent under `agents` of the configuration",
  "hooks/hooks.json": "commands of hooks are not run; write a plugin with api.on",
  ".mcp.json": "MCP servers of bundles are not started",
  ".lsp.json": "language servers are not started",
} as const;

/**
 * Reports on a bundle of another tool, which contains files instead of code that registers.
 * @param path - absolute path of a folder
 * @returns undefined for a folder that is not a bundle
 */
export function inspectBundle(path: string): CompatibilityReport | undefined {
  const manifest = MANIFESTS.map((file) => join(path, file)).find((file) => existsSync(file));
  if (manifest === undefined) return undefined;
  const { name, version } = readManifest(manifest);
  return {
    id: typeof name === "string" ? name : basename(path),
    ...(typeof version === "string" ? { version } : {}),
    format: "bundle",
    loads: true,
    parts: [...skills(path), ...unsupported(path)],
  };
}

function readManifest(file: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function skills(path: string): CompatibilityPart[] {
  const folder = join(path, "skills");
  return foldersIn(folder)
    .filter((name) => existsSync(join(folder, name, "SKILL.md")))
    .map((name) => ({
      kind: "skill",
      name,
      status: "mapped",
      reason: `add ${folder} to \`skills.folders\` of the configuration`,
    }));
}

function unsupported(path: string): CompatibilityPart[] {
  return Object.entries(UNSUPPORTED)
    .filter(([name]) => existsSync(join(path, name)))
    .map(([name, reason]) => ({ kind: "files", name, status: "unsupported", reason }));
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
