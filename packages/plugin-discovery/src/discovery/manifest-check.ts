import {
  describeValue,
  didYouMean,
  type Misfit,
  misfits,
  nearestName,
  type ValueSchema,
} from "@openclaw/foundation";
import { PLUGIN_MANIFEST_SCHEMA, type PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { KNOWN_PROPOSALS, unknownProposals } from "./proposals.js";

/**
 * The published schema, whose type lacks its keywords; a test compares the checks here with those
 * of a full schema interpreter. That one takes too long to import at every start.
 */
const SCHEMA = PLUGIN_MANIFEST_SCHEMA as ValueSchema;

const FIELDS: ReadonlySet<string> = new Set(Object.keys(SCHEMA.properties ?? {}));

/** An invalid or unused setting of a manifest. */
export interface ManifestProblem {
  readonly code: "manifest-invalid" | "manifest-unknown-field" | "manifest-not-used";
  readonly message: string;
  readonly hint: string;
}

/** A manifest, or its errors; warnings are returned in both cases. */
export interface CheckedManifest {
  readonly manifest: PluginManifest | undefined;
  readonly problems: readonly ManifestProblem[];
}

/**
 * Fields that change the behaviour of a plugin and that this host accepts but does not apply yet.
 */
const NOT_USED_YET = ["mcpServers", "commandAliases", "cliCommands"] as const;

const KINDS = new Set(["memory", "context-engine"]);

/**
 * Checks the content of a manifest file (PLUG-005, PLUG-006). Unknown fields and kinds are kept.
 * @param value - the parsed file or block
 * @param foreign - fields that belong to the file but not to the manifest
 */
export function checkManifest(value: unknown, foreign: ReadonlySet<string>): CheckedManifest {
  if (!isObject(value)) {
    const message = `at "": expected an object, got ${describeValue(value)}`;
    return { manifest: undefined, problems: [invalid(message, 'write { "id": "…" }')] };
  }
  const faults = firstOfEachField(misfits(value, SCHEMA));
  const problems = [...faults].map(([field, fault]) => faultOf(field, fault));
  for (const field of Object.keys(value)) {
    if (!FIELDS.has(field) && !foreign.has(field)) problems.push(unknownField(field));
  }
  if (problems.some((problem) => problem.code === "manifest-invalid")) {
    return { manifest: undefined, problems };
  }
  const manifest = value as unknown as PluginManifest;
  return {
    manifest,
    problems: [
      ...problems,
      ...unusedFields(manifest),
      ...unknownKinds(manifest),
      ...strangeProposals(manifest),
    ],
  };
}

/** One error per field is enough to correct it; a large list could have thousands. */
function firstOfEachField(found: readonly Misfit[]): ReadonlyMap<string, Misfit> {
  const faults = new Map<string, Misfit>();
  for (const misfit of found) {
    const field = String(misfit.path[0]);
    if (!faults.has(field)) faults.set(field, misfit);
  }
  return faults;
}

function faultOf(field: string, { kind, path, message }: Misfit): ManifestProblem {
  const isMissing = kind === "missing-key" && path.length === 1;
  const pointer = path.map((step) => `/${pointerPart(String(step))}`).join("");
  return invalid(
    `at "${pointer}": ${message}`,
    isMissing ? `add "${field}": "my-plugin"` : `correct "${field}"`,
  );
}

function invalid(message: string, hint: string): ManifestProblem {
  return { code: "manifest-invalid", message, hint };
}

function unknownField(field: string): ManifestProblem {
  const near = nearestName(field, FIELDS);
  return {
    code: "manifest-unknown-field",
    message: `at "/${pointerPart(field)}": not a field of this version's manifest; it is kept and ignored`,
    hint: didYouMean(near) ?? "remove it, or use a host that knows it",
  };
}

function unusedFields(manifest: PluginManifest): ManifestProblem[] {
  const unused = NOT_USED_YET.filter((field) => isFilled(manifest[field]));
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
      message: `at "/kind": "${name}" is not a kind that this host knows; it is kept and ignored`,
      hint: `known kinds are ${[...KINDS].join(", ")}`,
    }));
}

function strangeProposals({ proposals }: PluginManifest): ManifestProblem[] {
  return unknownProposals(proposals).map((name) => ({
    code: "manifest-unknown-field" as const,
    message: `at "/proposals": "${name}" is not a proposal of this host; a use of it fails`,
    hint:
      didYouMean(
        nearestName(
          name,
          KNOWN_PROPOSALS.map((each) => each.name),
        ),
      ) ?? `known proposals are ${KNOWN_PROPOSALS.map((each) => each.name).join(", ")}`,
  }));
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Returns a key as a JSON pointer spells it. */
function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
