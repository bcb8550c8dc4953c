import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { editConfiguration } from "@openclaw/configuration";
import { moveOver } from "@openclaw/foundation/file-replacement";
import { parseJson5 } from "@openclaw/foundation/json-document";
import { manifestSchemaOf, ownName } from "@openclaw/plugin-discovery";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";
import {
  type DeclarationDrift,
  declarationDrift,
  describeDrift,
} from "./conformance/declaration-drift.js";
import type { DeclarableKind } from "./conformance/registered-names.js";
import { type ConformanceSubject, inHost } from "./conformance/subject.js";
import { ManifestMissingError } from "./errors.js";
import { belongsTo } from "./host/tested-plugin.js";

/** A manifest, and its differences from the plugin's registrations. */
export interface ManifestBuild {
  /** Path of the manifest, or of the `package.json` that holds it. */
  readonly file: string;
  /** The differences, one sentence each; empty when there are none. */
  readonly drift: readonly string[];
  /** The file's text with the differences corrected. */
  readonly text: string;
}

/** Location of each kind in a manifest: offers of the plugin, or requests to the host. */
const PLACES: Readonly<Record<DeclarableKind, readonly [string, ...string[]]>> = {
  tools: ["contracts", "tools"],
  hooks: ["contracts", "hooks"],
  commands: ["contracts", "commands"],
  services: ["contracts", "services"],
  channels: ["channels"],
  providers: ["providers"],
  routes: ["permissions", "routes"],
  gatewayMethods: ["permissions", "gatewayMethods"],
  sessions: ["permissions", "sessions"],
};

/** Alternative location of a list; a new list must not contradict it. */
const otherPlaces = (kind: DeclarableKind): (readonly [string, ...string[]])[] =>
  [["contracts", kind] as const, ["permissions", kind] as const, [kind] as const].filter(
    (place) => place.join() !== PLACES[kind].join(),
  );

/**
 * Updates a manifest to match the plugin's registrations and the configuration schema of its code, by loading the plugin into a host without
 * clients. Comments, order and everything else in the file are kept. Writes nothing; see
 * `writeManifest`.
 * @param subject - path of the plugin, and configuration to load it with
 * @throws PluginNotLoadedError when the plugin does not run
 * @throws ManifestMissingError when it has no manifest
 */
export async function buildManifest(subject: ConformanceSubject): Promise<ManifestBuild> {
  const { result } = await inHost(subject, {}, ({ parts }) => {
    const generation = parts.host.plugins.current;
    return {
      file: manifestFile(generation, parts.pluginId),
      drifts: declarationDrift(generation, parts.pluginId),
      ids: generation.plugins.map(({ id }) => id).filter((id) => belongsTo(parts.pluginId, id)),
      schema: exportedSchema(generation, parts.pluginId),
    };
  });
  const { file, drifts, schema, ids } = result;
  if (file === undefined) throw new ManifestMissingError(subject.path);
  const isPackage = basename(file) === "package.json";
  const prefix = isPackage ? ["openclaw"] : [];
  const schemaPath: readonly [string, ...string[]] = isPackage
    ? ["openclaw", "configSchema"]
    : ["configSchema"];
  const before = read(file);
  const prefixed = prefixedNames(before, prefix, ids);
  const short = prefixed.reduce(
    (text, { at, names }) => editConfiguration(text, at, names),
    before,
  );
  const version = isPackage ? undefined : newerVersion(before, file);
  const versioned = version === undefined ? short : editConfiguration(short, ["version"], version);
  const declared = drifts.reduce((text, drift) => corrected(text, prefix, drift), versioned);
  const drift = [
    ...(version === undefined ? [] : [`its version is ${version} in package.json`]),
    ...prefixed.flatMap(({ sentences }) => sentences),
    ...drifts.flatMap(describeDrift),
  ];
  if (schema === undefined || isDeepStrictEqual(schema, valueAt(before, schemaPath))) {
    return { file, drift, text: declared };
  }
  return {
    file,
    drift: [...drift, "its configSchema differs from the one that its code exports"],
    text: editConfiguration(declared, schemaPath, schema),
  };
}

/**
 * Writes a built manifest atomically.
 * @param build - result of `buildManifest`
 */
export function writeManifest({ file, text }: ManifestBuild): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { flag: "wx" });
  moveOver(draft, file);
}

function manifestFile({ plugins }: PluginGeneration, id: string): string | undefined {
  return plugins.find((record) => belongsTo(id, record.id))?.manifestPath;
}

/** Returns no schema for a plugin with several entries, because its manifest describes all of them. */
function exportedSchema({ plugins }: PluginGeneration, id: string): JsonSchema | undefined {
  const [record, ...more] = plugins.filter((found) => belongsTo(id, found.id));
  return more.length > 0 ? undefined : manifestSchemaOf(record?.exportedSchema);
}

/** Returns the version of the package when the manifest has another one; undefined when it has none. */
function newerVersion(manifest: string, file: string): string | undefined {
  const own = valueAt(manifest, ["version"]);
  const packageFile = join(dirname(file), "package.json");
  if (typeof own !== "string" || !existsSync(packageFile)) return undefined;
  const version = valueAt(read(packageFile), ["version"]);
  return typeof version === "string" && version !== own ? version : undefined;
}

/** A list of a manifest in which names begin with the prefix of the plugin. */
interface PrefixedNames {
  readonly at: readonly [string, ...string[]];
  /** The list without prefixes. */
  readonly names: readonly string[];
  readonly sentences: readonly string[];
}

/** Finds the names that a manifest of an older version declares with the prefix of its plugin. */
function prefixedNames(
  text: string,
  prefix: readonly string[],
  ids: readonly string[],
): PrefixedNames[] {
  return (["routes", "sessions"] as const).flatMap((kind) =>
    [PLACES[kind], ...otherPlaces(kind)].flatMap((place) => {
      const [first, ...rest] = [...prefix, ...place];
      const list = first === undefined ? undefined : valueAt(text, [first, ...rest]);
      if (
        first === undefined ||
        !Array.isArray(list) ||
        !list.every((name) => typeof name === "string")
      )
        return [];
      const short = (name: string) => ids.reduce((value, id) => ownName(id, kind, value), name);
      const sentences = list
        .filter((name) => short(name) !== name)
        .map(
          (name) =>
            `it declares "${name}" under ${kind}, which is "${short(name)}" without the prefix of the plugin`,
        );
      if (sentences.length === 0) return [];
      return [{ at: [first, ...rest] as const, names: [...new Set(list.map(short))], sentences }];
    }),
  );
}

function valueAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    parseJson5(text).value,
  );
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function corrected(
  text: string,
  prefix: readonly string[],
  { kind, required }: DeclarationDrift,
): string {
  const edit = (before: string, place: readonly [string, ...string[]], value: unknown) => {
    const [first, ...rest] = [...prefix, ...place];
    return first === undefined ? before : editConfiguration(before, [first, ...rest], value);
  };
  const cleared = otherPlaces(kind).reduce((before, place) => edit(before, place, undefined), text);
  return edit(cleared, PLACES[kind], required.length === 0 ? undefined : required);
}
