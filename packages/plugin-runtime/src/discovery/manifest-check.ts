import { didYouMean, nearestName } from "@openclaw/foundation";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { describe, isObject, MANIFEST_FIELDS, pointerPart } from "./manifest-fields.js";

/** Something a manifest says wrongly or in vain. */
export interface ManifestProblem {
  readonly code: "manifest-invalid" | "manifest-unknown-field" | "manifest-not-used";
  readonly message: string;
  readonly hint: string;
}

/** A manifest, or what is wrong with it; problems that are no errors come with either. */
export interface CheckedManifest {
  readonly manifest: PluginManifest | undefined;
  readonly problems: readonly ManifestProblem[];
}

/** Fields that change what a plugin does, and that this host accepts but does not act on yet. */
const NOT_USED_YET = [
  "channels",
  "mcpServers",
  "commandAliases",
  "cliCommands",
  "proposals",
] as const;

const KINDS = new Set(["memory", "context-engine"]);

/**
 * Checks what a manifest file holds (PLUG-005, PLUG-006). Unknown fields and kinds are kept.
 * @param value - the parsed file or block
 * @param foreign - fields that belong to the file but not to the manifest
 */
export function checkManifest(value: unknown, foreign: ReadonlySet<string>): CheckedManifest {
  if (!isObject(value)) {
    const message = `at "": expected an object, got ${describe(value)}`;
    return { manifest: undefined, problems: [invalid(message, 'write { "id": "…" }')] };
  }
  const problems: ManifestProblem[] = [];
  if (!Object.hasOwn(value, "id")) {
    problems.push(invalid('at "/id": expected an id, got nothing', 'add "id": "my-plugin"'));
  }
  for (const [field, found] of Object.entries(value)) {
    const check = isKnown(field) ? MANIFEST_FIELDS[field] : undefined;
    if (check === undefined) {
      if (!foreign.has(field)) problems.push(unknownField(field));
      continue;
    }
    const fault = check(found);
    if (fault === undefined) continue;
    const at = `/${pointerPart(field)}${fault.pointer}`;
    problems.push(
      invalid(`at "${at}": expected ${fault.expected}, got ${fault.found}`, `correct "${field}"`),
    );
  }
  if (problems.some((problem) => problem.code === "manifest-invalid")) {
    return { manifest: undefined, problems };
  }
  const manifest = value as unknown as PluginManifest;
  return {
    manifest,
    problems: [...problems, ...unusedFields(manifest), ...unknownKinds(manifest)],
  };
}

function invalid(message: string, hint: string): ManifestProblem {
  return { code: "manifest-invalid", message, hint };
}

function unknownField(field: string): ManifestProblem {
  const near = nearestName(field, Object.keys(MANIFEST_FIELDS));
  return {
    code: "manifest-unknown-field",
    message: `at "/${pointerPart(field)}": not a field of this version's manifest; it is kept and ignored`,
    hint: didYouMean(near) ?? "remove it, or use a host that knows it",
  };
}

function unusedFields(manifest: PluginManifest): ManifestProblem[] {
  const unused: string[] = NOT_USED_YET.filter((field) => isFilled(manifest[field]));
  if (manifest.isolation === "worker" || manifest.isolation === "process") unused.push("isolation");
  if (unused.length === 0) return [];
  return [
    {
      code: "manifest-not-used",
      message: `this version of the host does not act on ${unused.join(", ")} yet`,
      hint: "the plugin loads without them; what its code registers works",
    },
  ];
}

function unknownKinds({ kind = [] }: PluginManifest): ManifestProblem[] {
  const kinds = typeof kind === "string" ? [kind] : kind;
  return kinds
    .filter((name) => !KINDS.has(name))
    .map((name) => ({
      code: "manifest-unknown-field" as const,
      message: `at "/kind": "${name}" is no kind this host knows; it is kept and ignored`,
      hint: `known kinds are ${[...KINDS].join(", ")}`,
    }));
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isKnown(field: string): field is keyof PluginManifest {
  return Object.hasOwn(MANIFEST_FIELDS, field);
}
