import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { createTestFolder } from "../host/folder.js";
import { belongsTo, overviewAt } from "../host/tested-plugin.js";
import { layOutAsInstalled } from "./installed-layout.js";
import type { CheckOutcome, ConformanceFinding } from "./report.js";
import { type ConformanceSubject, inHost } from "./subject.js";

/** Checks that the manifest is readable and valid. */
export async function checkManifest({ path, api }: ConformanceSubject): Promise<CheckOutcome> {
  const folder = createTestFolder();
  try {
    const { plugins, diagnostics } = await overviewAt(path, folder.stateDir, api);
    const derived = diagnostics.filter(({ code }) => code === "manifest-derived");
    return [
      ...diagnostics.filter((diagnostic) => !derived.includes(diagnostic)).map(toFinding),
      ...derived.map((diagnostic) => ({ ...toFinding(diagnostic), level: "error" as const })),
      ...plugins.flatMap((plugin): ConformanceFinding[] =>
        "reason" in plugin && plugin.reason !== "default-off"
          ? [
              {
                level: "error",
                message: `the plugin stays off: ${plugin.reason}`,
                hint: plugin.hint,
              },
            ]
          : [],
      ),
    ];
  } finally {
    folder.remove();
  }
}

/** Checks that the plugin loads and registers from its own folder. */
export async function checkLoading(subject: ConformanceSubject): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, ({ parts }) =>
    findingsOf(parts.host.plugins.current, parts.pluginId),
  );
  return result;
}

/**
 * Checks that the plugin loads from a `node_modules` folder with only the files it publishes and
 * the dependencies it declares.
 */
export async function checkInstalled(subject: ConformanceSubject): Promise<CheckOutcome> {
  const folder = createTestFolder();
  try {
    const layout = await layOutAsInstalled(subject.path, folder.workspaceDir);
    if ("skipped" in layout) return layout;
    return await checkLoading({ ...subject, path: layout.path });
  } finally {
    folder.remove();
  }
}

/**
 * Returns the host's diagnostics about the plugin; a separate check reports undeclared
 * registrations.
 */
function findingsOf({ diagnostics }: PluginGeneration, id: string): ConformanceFinding[] {
  return diagnostics
    .filter(
      ({ pluginId, code }) => belongsTo(id, pluginId ?? "") && code !== "permission-undeclared",
    )
    .map(toFinding);
}

function toFinding({ level, message, hint }: PluginDiagnostic): ConformanceFinding {
  return { level, message, hint };
}
