import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PluginDiagnostic } from "./diagnostic.js";

/** Id of a plugin whose manifest has none, and the diagnostic that reports it. */
export interface DerivedId {
  readonly id: string;
  readonly diagnostic: PluginDiagnostic;
}

/**
 * Returns an id for a plugin from the name in its manifest, else the name of its package without the scope, else the name
 * of its folder (PLUG-142).
 * @param path - path of its manifest
 * @param name - `name` of the manifest
 */
export function derivedId(path: string, name: unknown): DerivedId {
  const folder = dirname(path);
  const candidates = [
    ["its name", typeof name === "string" ? name : ""],
    ["the name of its package", packageName(folder)],
    ["the name of its folder", basename(folder)],
  ] as const;
  const [source, text] = candidates.find(([, each]) => /[a-z0-9]/i.test(each)) ?? candidates[2];
  const id = idFromName(text.replace(/^@[^/]*\//, ""));
  return {
    id,
    diagnostic: {
      level: "warn",
      code: "manifest-derived",
      message: `${path} has no "id", so the id of the plugin is "${id}", from ${source}`,
      source: path,
      hint: `add "id": "${id}", which its settings and installs refer to`,
    },
  };
}

function packageName(folder: string): string {
  try {
    const { name }: { name?: unknown } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}

/**
 * Returns the id of a plugin that has no manifest.
 * @param name - name of its file or folder
 */
export function idFromName(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 100);
  return id === "" ? "plugin" : id;
}
