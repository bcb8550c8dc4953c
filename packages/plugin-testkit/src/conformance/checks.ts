import { errorMessage } from "@openclaw/foundation";
import { PluginNotLoadedError } from "../errors.js";
import { checkDeclarations, checkPermissions } from "./declaration-checks.js";
import { checkGates } from "./gate-check.js";
import { checkRepeatedRegistration, checkUnloading } from "./generation-checks.js";
import { checkNeighbours, checkResults, checkSyncHooks } from "./handler-checks.js";
import { checkInstalled, checkLoading, checkManifest } from "./loading-checks.js";
import type {
  CheckOutcome,
  ConformanceCheck,
  ConformanceCheckId,
  ConformanceFinding,
} from "./report.js";
import type { ConformanceSubject } from "./subject.js";

interface CheckRules {
  readonly title: string;
  readonly run: (subject: ConformanceSubject) => Promise<CheckOutcome>;
}

/** Every check, in the order in which they run. */
const CHECKS: Readonly<Record<ConformanceCheckId, CheckRules>> = {
  "manifest-valid": {
    title: "the manifest can be read and contains no error",
    run: checkManifest,
  },
  "loads-as-module": {
    title: "it loads and registers from its folder",
    run: checkLoading,
  },
  "loads-installed": {
    title: "it loads from the files it publishes and the dependencies it declares",
    run: checkInstalled,
  },
  "register-idempotent": {
    title: "it registers the same things each time it is loaded",
    run: checkRepeatedRegistration,
  },
  "unload-leaves-nothing": {
    title: "it leaves nothing behind after it was unloaded",
    run: checkUnloading,
  },
  "declared-equals-registered": {
    title: "the manifest declares what it registers, and nothing else",
    run: checkDeclarations,
  },
  "survives-neighbours": {
    title: "its handlers work next to plugins that throw, hang and change events",
    run: checkNeighbours,
  },
  "results-keep-to-catalog": {
    title: "its handlers answer with what the catalog of hooks knows",
    run: checkResults,
  },
  "sync-hooks-sync": {
    title: "its handlers of synchronous hooks answer at once",
    run: checkSyncHooks,
  },
  "gates-hold-under-timeout": {
    title: "a step that it guards stays closed when it does not answer",
    run: checkGates,
  },
  "permission-honesty": {
    title: "it needs no permission beyond its manifest",
    run: checkPermissions,
  },
};

/** Names of the checks, in the order in which they run. */
export const CONFORMANCE_CHECKS = Object.keys(CHECKS) as readonly ConformanceCheckId[];

/** Runs one check in this process. */
export async function runCheck(
  id: ConformanceCheckId,
  subject: ConformanceSubject,
): Promise<ConformanceCheck> {
  const { title, run } = CHECKS[id];
  const outcome = await run(subject).catch(failureOf);
  if ("skipped" in outcome) {
    return { id, title, status: "skipped", findings: [], reason: outcome.skipped };
  }
  return concluded(id, outcome);
}

/** Returns a check with its findings; an error among them fails it. */
export function concluded(
  id: ConformanceCheckId,
  findings: readonly ConformanceFinding[],
): ConformanceCheck {
  const failed = findings.some(({ level }) => level === "error");
  return { id, title: CHECKS[id].title, status: failed ? "failed" : "passed", findings };
}

/** An error that stops a check is a finding: a plugin that does not load passes none. */
function failureOf(error: unknown): readonly ConformanceFinding[] {
  if (PluginNotLoadedError.isInstance(error) && error.diagnostics.length > 0) {
    return error.diagnostics
      .filter(({ level }) => level === "error")
      .map(({ message, hint }) => ({
        level: "error",
        message,
        hint,
      }));
  }
  return [{ level: "error", message: errorMessage(error) }];
}
