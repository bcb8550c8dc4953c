import { basename, relative } from "node:path";
import { defined } from "@openclaw/foundation";
import type { Bundle } from "../bundles/bundle.js";
import { commandName } from "../bundles/command-name.js";
import { usesOf } from "../bundles/programs.js";
import { readBundle } from "../bundles/reader.js";
import { idFromName } from "./derived-id.js";
import type { PluginDiagnostic } from "./diagnostic.js";
import { checkManifest } from "./manifest-check.js";
import type { ManifestFile } from "./manifest-file.js";

/**
 * Reads a folder with a bundle of another tool as a plugin (EXT-530). None of its code runs.
 * @param root - real path of the folder
 * @returns undefined for a folder that is not a bundle
 */
export function readBundleManifest(root: string): ManifestFile | undefined {
  const found = readBundle(root);
  if (found === undefined) return undefined;
  if ("problem" in found) {
    const { file, problem } = found;
    return unusable(file, problem);
  }
  return bundleManifest(found.bundle, root);
}

/**
 * Returns the manifest of a bundle.
 * @param root - real path of its folder
 */
export function bundleManifest(bundle: Bundle, root: string): ManifestFile {
  const { name, version, description, marker = root, skills, unsupported } = bundle;
  const id = idFromName(name);
  const fields = {
    ...{ id, name },
    ...defined({ version: versionOf(version), description }),
    ...(skills.length === 0 ? {} : { skills: [...skills] }),
    permissions: permissionsOf(bundle, root, id),
  };
  const { manifest, problems } = checkManifest(fields, new Set());
  const [problem] = problems;
  if (manifest === undefined) return unusable(marker, problem?.message ?? "cannot be used");
  return {
    ...{ path: marker, manifest, bundle },
    diagnostics: unsupported.map((part): PluginDiagnostic => {
      const message = `${relative(root, marker) || basename(root)}: ${part.kind} ${part.name} has no effect: ${part.reason}`;
      return { level: "info", code: "manifest-not-used", message, source: marker };
    }),
  };
}

function permissionsOf(bundle: Bundle, root: string, id: string) {
  const { commands, agents } = bundle;
  const { programs, hosts, variables } = usesOf(bundle, root);
  const agentHooks = agents.length === 0 ? [] : ["subagent_spawning", "before_prompt_build"];
  const contextHooks = bundle.context.length === 0 ? [] : ["before_prompt_build"];
  return {
    commands: commands.length === 0 ? [] : [commandName(id)],
    hooks: [...new Set([...agentHooks, ...contextHooks])],
    exec: [...programs],
    secrets: [...variables],
    network: { hosts: [...hosts] },
  };
}

/** Other tools accept any text as a version. */
function versionOf(version: string | undefined): string | undefined {
  return version === undefined || version.trim() === "" ? undefined : version.trim().slice(0, 100);
}

function unusable(path: string, problem: string): ManifestFile {
  const diagnostic: PluginDiagnostic = {
    ...{ level: "error", code: "manifest-invalid", message: `${path} ${problem}`, source: path },
    hint: "correct the file; `openclaw plugins compat` shows what this host reads",
  };
  return { path, manifest: undefined, diagnostics: [diagnostic] };
}
