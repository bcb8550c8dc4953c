import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledExtensions } from "../installation.js";

/** Returns the names of the commands that bundled plugins add, as their manifests declare them. No plugin is loaded. */
export function bundledCommandNames(): readonly string[] {
  return bundledExtensions().flatMap(commandsOf).sort();
}

function commandsOf(folder: string): readonly string[] {
  const manifest: { readonly contracts?: { readonly cliCommands?: readonly string[] } } =
    JSON.parse(readFileSync(join(folder, "openclaw.plugin.json"), "utf8"));
  return manifest.contracts?.cliCommands ?? [];
}
