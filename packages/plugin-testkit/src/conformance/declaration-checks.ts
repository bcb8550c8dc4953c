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
 * Checks that the manifest declares exactly what the plugin registers.
 * @param subject - the plugin
 */
export async function checkDeclarations(subject: ConformanceSubject): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, ({ parts }) =>
    declarationDrift(parts.host.plugins.current, parts.pluginId).flatMap(describeDrift),
  );
  return result.map((message) => ({
    level: "error",
    message,
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
 * hooks.
 * @param subject - the plugin
 */
export async function checkPermissions(subject: ConformanceSubject): Promise<CheckOutcome> {
  const config = { plugins: { permissions: "strict" as const } };
  const { result } = await inHost(subject, { config }, async (host) => {
    for (const hook of handledHooks(host)) await fireSample(host, hook);
    return [...refused(host), ...undeclaredDeeds(host)];
  });
  return result;
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
