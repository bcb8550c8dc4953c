import { PluginNotLoadedError } from "../errors.js";
import { belongsTo } from "../host/tested-plugin.js";
import { declarationDrift, describeDrift } from "./declaration-drift.js";
import type { CheckOutcome, ConformanceFinding } from "./report.js";
import {
  type CheckedHost,
  type ConformanceSubject,
  fireSample,
  handledHooks,
  inHost,
} from "./subject.js";

/**
 * Checks that the manifest declares exactly what the plugin registers. For a plugin of an older API the differences are
 * warnings: its manifest format has no permissions, and hosts of every version load it as it is.
 */
export async function checkDeclarations(subject: ConformanceSubject): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, (host) => {
    const { host: running, pluginId } = host.parts;
    const level = isOfOlderApi(host) ? "warn" : "error";
    const messages = declarationDrift(running.plugins.current, pluginId).flatMap(describeDrift);
    return messages.map((message) => ({ level, message }) as const);
  });
  return result.map((finding) => ({
    ...finding,
    hint: "openclaw plugins build writes into the manifest what the plugin registers",
  }));
}

/** Actions of a plugin that can be observed, and the permission for each. */
const DEEDS = [
  { kind: "a child process", permission: "exec", deed: "started a child process" },
  { kind: "a connection", permission: "network.hosts", deed: "opened a network connection" },
  { kind: "a datagram socket", permission: "network.hosts", deed: "opened a datagram socket" },
] as const;

/**
 * Checks that the plugin works with only the permissions in its manifest: it registers under a host
 * that rejects everything else, and does nothing undeclared while it registers and handles its
 * hooks. A plugin of an older API, whose manifest format has no permissions, gets warnings.
 * @throws PluginNotLoadedError when a host that rejects the rest does not load it
 */
export async function checkPermissions(subject: ConformanceSubject): Promise<CheckOutcome> {
  const strict = await findingsUnder(subject, "strict").catch((error: unknown) => {
    if (PluginNotLoadedError.isInstance(error)) return error;
    throw error;
  });
  if (!PluginNotLoadedError.isInstance(strict) && strict.length === 0) return strict;
  const { result: isOlder } = await inHost(subject, {}, isOfOlderApi);
  if (isOlder) {
    const findings = await findingsUnder(subject, "warn");
    return findings.map((finding) => ({ ...finding, level: "warn" }));
  }
  if (PluginNotLoadedError.isInstance(strict)) throw strict;
  return strict;
}

async function findingsUnder(
  subject: ConformanceSubject,
  permissions: "strict" | "warn",
): Promise<readonly ConformanceFinding[]> {
  const config = { plugins: { permissions } };
  const { result } = await inHost(subject, { config }, async (host) => {
    for (const hook of handledHooks(host)) await fireSample(host, hook);
    return [...refused(host), ...undeclaredDeeds(host)];
  });
  return result;
}

function isOfOlderApi({ parts }: CheckedHost): boolean {
  return parts.host.plugins.current.plugins.some(
    ({ id, profile = "1.0" }) => belongsTo(parts.pluginId, id) && profile !== "1.0",
  );
}

function refused({ parts }: CheckedHost): ConformanceFinding[] {
  return parts.host.plugins.current.diagnostics
    .filter(({ code }) => code === "permission-undeclared")
    .map(({ message, hint }) => ({
      level: "error",
      message,
      hint,
    }));
}

function undeclaredDeeds({ parts, watch }: CheckedHost): ConformanceFinding[] {
  const records = parts.host.plugins.current.plugins.filter(({ id }) => id === parts.pluginId);
  const declares = (permission: (typeof DEEDS)[number]["permission"]) =>
    records.some(({ permissions }) => (permissions[permission] ?? []).length > 0);
  return DEEDS.filter(
    ({ kind, permission }) => watch.startedKinds.has(kind) && !declares(permission),
  ).map(({ deed, permission }) => ({
    level: "error",
    message: `it ${deed}, and its manifest declares nothing under permissions.${permission}`,
    hint: `declare what it needs under permissions.${permission}`,
  }));
}
