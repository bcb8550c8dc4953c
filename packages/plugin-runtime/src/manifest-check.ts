import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { nearestNames } from "./nearest.js";

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

interface FieldRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const ID = /^[a-z0-9@][a-z0-9._/-]{0,99}$/;

const text: FieldRule = { expected: "a string", accepts: isText };
const flag: FieldRule = {
  expected: "true or false",
  accepts: (value) => typeof value === "boolean",
};
const object: FieldRule = { expected: "an object", accepts: isObject };
const texts: FieldRule = { expected: "a list of strings", accepts: isTexts };
const textOrTexts: FieldRule = {
  expected: "a string or a list of strings",
  accepts: (value) => isText(value) || isTexts(value),
};
const collection: FieldRule = {
  expected: "an object or a list",
  accepts: (value) => isObject(value) || Array.isArray(value),
};

/** The type of every field of a manifest (PLUG-005); the compiler holds the table complete. */
const FIELDS: { readonly [Field in keyof PluginManifest]-?: FieldRule } = {
  $schema: text,
  id: {
    expected: "1 to 100 characters: a lower-case letter, digit or @ first, then also . _ / -",
    accepts: (value) => isText(value) && ID.test(value),
  },
  name: text,
  version: text,
  description: text,
  configSchema: object,
  entry: textOrTexts,
  enabledByDefault: flag,
  kind: textOrTexts,
  channels: texts,
  providers: texts,
  skills: texts,
  uiHints: object,
  requiresPlugins: {
    expected: "a list of ids, or of objects with id and version",
    accepts: (value) => Array.isArray(value) && value.every(isRequirement),
  },
  legacyPluginIds: texts,
  contracts: {
    expected: "an object of lists of strings",
    accepts: (value) => isObject(value) && Object.values(value).every(isTexts),
  },
  toolMetadata: object,
  commandAliases: collection,
  cliCommands: collection,
  activation: object,
  mcpServers: object,
  permissions: object,
  isolation: {
    expected: '"none", "worker" or "process"',
    accepts: (value) => value === "none" || value === "worker" || value === "process",
  },
  compat: object,
  proposals: texts,
};

/** Fields that change what a plugin does, and that this host accepts but does not act on yet. */
const NOT_USED_YET = [
  "skills",
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
    const rule = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof PluginManifest] : undefined;
    if (rule === undefined) {
      if (!foreign.has(field)) problems.push(unknownField(field));
    } else if (!rule.accepts(found)) {
      problems.push(
        invalid(
          `at "/${field}": expected ${rule.expected}, got ${describe(found)}`,
          `correct "${field}"`,
        ),
      );
    }
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
  const near = nearestNames(field, Object.keys(FIELDS), 1)[0];
  return {
    code: "manifest-unknown-field",
    message: `at "/${field}": not a field of this version's manifest; it is kept and ignored`,
    hint: near === undefined ? "remove it, or use a host that knows it" : `did you mean "${near}"?`,
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

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRequirement(value: unknown): boolean {
  return isText(value) || (isObject(value) && isText(value.id) && isText(value.version));
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `${typeof value} ${JSON.stringify(value)}`;
}
