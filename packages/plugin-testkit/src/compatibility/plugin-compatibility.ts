import { existsSync } from "node:fs";
import { relative } from "node:path";
import { defined } from "@openclaw/foundation";
import type { DiagnosticCode, PluginDiagnostic } from "@openclaw/plugin-discovery";
import { type SdkPart, sdkPartsAt } from "@openclaw/plugin-loader";
import { type PluginGeneration, REGISTRY_KINDS, type RegistryKind } from "@openclaw/plugin-runtime";
import { type ConformanceSubject, inHost } from "../conformance/subject.js";
import { PluginMissingError, PluginNotLoadedError } from "../errors.js";
import { createTestFolder } from "../host/folder.js";
import { belongsTo, overviewAt } from "../host/tested-plugin.js";
import { inspectBundle } from "./bundle.js";
import type { CompatibilityPart, CompatibilityReport, PartStatus } from "./report.js";

/** Diagnostics about something that works in another way than the plugin wrote it. */
const MAPPED: ReadonlySet<DiagnosticCode> = new Set([
  "manifest-legacy",
  "deprecated-hook",
  "wrong-door",
  "loaded-by-jiti",
  "entry-from-source",
  "scope-raised",
  "route-moved",
]);

/** Diagnostics about something of the plugin that has no effect. */
const WITHOUT_EFFECT: ReadonlySet<DiagnosticCode> = new Set([
  "manifest-not-used",
  "unknown-hook",
  "hook-of-other-version",
  "registration-invalid",
  "provider-without-models",
  "capability-absent",
  "boot-passed",
  "name-taken",
  "trusted-policy-refused",
  "unknown-option",
]);

/** Registrations of one kind by a plugin, with the names under which people know them. */
interface Registered {
  readonly kind: string;
  readonly name: string;
}

/**
 * Reports which parts of a plugin or bundle work on this host, which are mapped to something else, and which are not
 * supported (EXT-024). Loads a plugin into a host in memory, where its code runs.
 * @param subject - path, configuration, and modules of the host
 * @throws PluginMissingError when the path does not exist
 */
export async function inspectCompatibility(
  subject: ConformanceSubject,
): Promise<CompatibilityReport> {
  const { path } = subject;
  if (!existsSync(path)) throw new PluginMissingError(path);
  const bundle = inspectBundle(path);
  if (bundle !== undefined) return bundle;
  const { id, version } = await identityOf(path);
  const loading = await load(subject);
  const imports = importParts(await sdkPartsAt(path), loading.loads);
  const parts = loading.loads ? loading.parts : failureParts(loading.diagnostics, subject);
  const report = { id, format: "plugin", loads: loading.loads, ...defined({ version }) } as const;
  return { ...report, parts: [...imports, ...parts] };
}

/** Result of a load: the parts that registered something, or the reasons against it. */
type Loading =
  | { readonly loads: true; readonly parts: readonly CompatibilityPart[] }
  | { readonly loads: false; readonly diagnostics: readonly PluginDiagnostic[] };

async function load(subject: ConformanceSubject): Promise<Loading> {
  try {
    const { result } = await inHost(subject, {}, ({ parts }) =>
      loadedParts(parts.host.plugins.current, parts.pluginId, subject.path),
    );
    return { loads: true, parts: result };
  } catch (error) {
    if (!PluginNotLoadedError.isInstance(error)) throw error;
    return { loads: false, diagnostics: error.diagnostics };
  }
}

async function identityOf(path: string): Promise<{ id: string; version: string | undefined }> {
  const folder = createTestFolder();
  try {
    const { plugins, diagnostics } = await overviewAt(path, folder.stateDir);
    const [plugin] = plugins;
    if (plugin === undefined) throw new PluginNotLoadedError(path, diagnostics);
    return { id: plugin.id, version: plugin.version };
  } finally {
    folder.remove();
  }
}

function importParts(parts: readonly SdkPart[], loads: boolean): CompatibilityPart[] {
  const without = loads ? "; the plugin loads, and what uses it fails" : "";
  const works = parts.filter(({ offered, name }) => offered && name === undefined);
  const older = works.filter(({ specifier }) => /^(?:clawdbot|moltbot)\//.test(specifier));
  const current = works.length - older.length;
  return [
    ...(current === 0
      ? []
      : [{ kind: "import", name: `${current} modules of the SDK`, status: "works" } as const]),
    ...older.map(({ specifier }) => ({
      ...{ kind: "import", name: specifier, status: "mapped" as const },
      reason: `the host's ${specifier.replace(/^\w+/, "openclaw")}`,
    })),
    ...parts
      .filter(({ inert }) => inert === true)
      .map(({ specifier, name }) => ({
        kind: "import",
        name: `${name} of ${specifier}`,
        status: "mapped" as const,
        reason: "has no effect: only a set-up of older hosts uses it",
      })),
    ...parts.flatMap(({ specifier, name, takenFrom }) =>
      name === undefined || takenFrom === undefined
        ? []
        : [
            {
              ...{ kind: "import", name: `${name} of ${specifier}`, status: "mapped" as const },
              reason: `taken from ${takenFrom}`,
            },
          ],
    ),
    ...parts
      .filter(({ offered }) => !offered)
      .map(({ specifier, name, place }) => ({
        kind: "import",
        name: name === undefined ? specifier : `${name} of ${specifier}`,
        status: "unsupported" as const,
        reason: `this host does not offer it${without}; used at ${place}`,
      })),
  ];
}

function loadedParts(
  generation: PluginGeneration,
  pluginId: string,
  path: string,
): CompatibilityPart[] {
  const diagnostics = generation.diagnostics.filter(({ pluginId: about = "" }) =>
    belongsTo(pluginId, about),
  );
  const unserved = new Map(
    diagnostics.flatMap((diagnostic) =>
      diagnostic.unserved === undefined ? [] : [[diagnostic.unserved, diagnostic] as const],
    ),
  );
  const working = registrations(generation, pluginId).filter(
    ({ kind, name }) =>
      !unserved.has(kind) &&
      ![...unserved.keys()].some((key) => key.startsWith(kind) && key.includes(`"${name}"`)),
  );
  const described = diagnostics.flatMap((diagnostic) => diagnosticPart(diagnostic, path));
  return [
    ...skillParts(generation, pluginId),
    ...working.map(({ kind, name }) => ({ kind, name, status: "works" as const })),
    ...described,
  ];
}

function skillParts({ plugins }: PluginGeneration, pluginId: string): CompatibilityPart[] {
  const own = plugins.filter(({ id }) => belongsTo(pluginId, id));
  return own.flatMap(({ skills = [], rootDir }) =>
    skills.map((folder) => {
      const part = { kind: "skills", name: relative(rootDir, folder) };
      return existsSync(folder)
        ? { ...part, status: "works" as const }
        : { ...part, status: "unsupported" as const, reason: "the folder does not exist" };
    }),
  );
}

function registrations(generation: PluginGeneration, pluginId: string): Registered[] {
  const kinds = Object.keys(REGISTRY_KINDS) as RegistryKind[];
  return kinds.flatMap((kind) => registeredOf(kind, generation, pluginId));
}

function registeredOf<Kind extends RegistryKind>(
  kind: Kind,
  generation: PluginGeneration,
  pluginId: string,
): Registered[] {
  const { label, names } = REGISTRY_KINDS[kind];
  const own = generation[kind].filter((item) => belongsTo(pluginId, item.pluginId));
  const found = own.flatMap((item) => names(item));
  if (own.length > 0 && found.length === 0) return [{ kind: label, name: "" }];
  return [...new Set(found)].map((name) => ({ kind: label, name }));
}

function diagnosticPart(diagnostic: PluginDiagnostic, path: string): CompatibilityPart[] {
  const { code, level, unserved } = diagnostic;
  if (unserved !== undefined) {
    const [, kind = unserved, names] = /^([^"]+?) "(.+)"$/.exec(unserved) ?? [];
    if (names === undefined) {
      return [{ kind, name: "", status: "unsupported", reason: diagnostic.message }];
    }
    return names.split(/", ?"/).map((name) => ({
      ...{ kind, name, status: "unsupported" },
      reason: "this host keeps it and does not use it",
    }));
  }
  if (MAPPED.has(code)) return [explained(diagnostic, "mapped", path)];
  if (level !== "error" && !WITHOUT_EFFECT.has(code)) return [];
  return [explained(diagnostic, "unsupported", path)];
}

/** Reasons why a plugin does not load; without an error everything that was reported about it. */
function failureParts(
  diagnostics: readonly PluginDiagnostic[],
  { path, pluginConfig }: ConformanceSubject,
): readonly CompatibilityPart[] {
  const errors = diagnostics.filter(({ level }) => level === "error");
  const reasons = errors.length === 0 ? diagnostics : errors;
  return reasons.map((diagnostic) => {
    const part = explained(diagnostic, "unsupported", path);
    // The imports name every missing part.
    if (diagnostic.code === "sdk-parts-missing") {
      const reason = (part.reason ?? "").replace(/; in all it imports .*$/s, "");
      return { ...part, name: "", reason };
    }
    if (diagnostic.code !== "config-invalid" || pluginConfig !== undefined) return part;
    // Only its settings are missing here; nothing is known about the rest.
    const reason = `it was loaded without settings: ${diagnostic.message}; give them with --plugin-config FILE`;
    return { ...part, name: "settings", reason: reason.replaceAll(`${path}/`, "") };
  });
}

function explained(
  { code, message, hint }: PluginDiagnostic,
  status: PartStatus,
  path: string,
): CompatibilityPart {
  const text = message.replaceAll(`${path}/`, "");
  const reason = hint === undefined || status === "mapped" ? text : `${text}; ${hint}`;
  return { kind: "plugin", name: code, status, reason: reason.replaceAll(`${path}/`, "") };
}
