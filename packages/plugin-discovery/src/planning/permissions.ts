import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { ownName } from "./own-names.js";

/** A field of the manifest's `permissions`. */
export type PermissionKind = (typeof PERMISSION_KINDS)[number];

const PERMISSION_KINDS = [
  "tools",
  "hooks",
  "commands",
  "routes",
  "gatewayMethods",
  "channels",
  "providers",
  "services",
  "sessions",
  "secrets",
  "network.hosts",
  "fs.read",
  "fs.write",
  "exec",
] as const;

/** Declarations of a manifest; a field that it does not mention is absent. */
export type DeclaredPermissions = { readonly [Kind in PermissionKind]?: readonly string[] };

/** The fields of a manifest that contain declarations. */
export type DeclaringManifest = Pick<
  PluginManifest,
  "permissions" | "contracts" | "channels" | "providers"
>;

/** One declaration of a manifest. */
export interface DeclaredPermission {
  readonly kind: PermissionKind;
  /** A name, or a pattern in which `*` matches any text. */
  readonly value: string;
}

/** Declarations that a newer manifest adds and removes. */
export interface PermissionDifference {
  readonly added: readonly DeclaredPermission[];
  readonly removed: readonly DeclaredPermission[];
}

/**
 * Returns the registrations and uses that a manifest declares: its `permissions`, and its
 * `contracts`, `channels` and `providers`, which count as declared (PLUG-043).
 * @param manifest - manifest of the plugin
 * @param pluginId - the plugin, whose prefix names may have
 */
export function declaredPermissions(
  manifest: DeclaringManifest,
  pluginId: string,
): DeclaredPermissions {
  const declared: { [Kind in PermissionKind]?: readonly string[] } = {};
  for (const kind of PERMISSION_KINDS) {
    const mentioned = [
      permissionList(manifest, kind),
      textsAt(manifest.contracts, kind),
      kind === "channels" || kind === "providers" ? textsAt(manifest, kind) : undefined,
    ].filter((list) => list !== undefined);
    if (mentioned.length > 0) {
      const names = mentioned.flat().map((value) => ownName(pluginId, kind, value));
      declared[kind] = Object.freeze([...new Set(names)]);
    }
  }
  return Object.freeze(declared);
}

function permissionList({ permissions }: DeclaringManifest, kind: PermissionKind) {
  const [group = "", field] = kind.split(".");
  if (field === undefined) return textsAt(permissions, kind);
  const inner = permissions && Object.hasOwn(permissions, group) && permissions[group as "fs"];
  // An empty group declares that nothing is used.
  return inner ? (textsAt(inner, field) ?? []) : undefined;
}

/** Manifests are untrusted: a name like `constructor` must not find an inherited property. */
function textsAt(holder: object | undefined, key: string): string[] | undefined {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key))
    return undefined;
  const list: unknown = holder[key as keyof typeof holder];
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : undefined;
}

/**
 * Returns true when a manifest declares a value.
 * @param declared - declarations of the manifest
 * @param kind - the field
 * @param value - the name that is registered or used
 */
export function isDeclared(
  declared: DeclaredPermissions,
  kind: PermissionKind,
  value: string,
): boolean {
  return declared[kind]?.some((pattern) => matches(pattern, value)) ?? false;
}

/**
 * Compares what two versions of a plugin declare, for an upgrade (PLUG-047).
 * @param before - the accepted declarations
 * @param after - the declarations of the new version
 * @returns declarations of one version that the other does not cover
 */
export function comparePermissions(
  before: DeclaredPermissions,
  after: DeclaredPermissions,
): PermissionDifference {
  return { added: beyond(after, before), removed: beyond(before, after) };
}

function beyond(declared: DeclaredPermissions, other: DeclaredPermissions): DeclaredPermission[] {
  return PERMISSION_KINDS.flatMap((kind) =>
    (declared[kind] ?? [])
      // A pattern that matches the text of another pattern covers everything that the other one matches.
      .filter((value) => !isDeclared(other, kind, value))
      .map((value) => ({ kind, value })),
  );
}

function matches(pattern: string, value: string): boolean {
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const text = value.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  if (!text.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, from);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    from = found + part.length;
  }
  return true;
}
