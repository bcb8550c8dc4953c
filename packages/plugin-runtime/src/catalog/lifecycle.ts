import type {
  CronDeliveryStatus,
  CronJob,
  CronService,
  HookMap,
  InstallFinding,
} from "@openclaw/plugin-sdk/hooks";
import { DECISION_DEADLINE_MS, type HookCatalogEntries, OBSERVATION_DEADLINE_MS } from "./entry.js";
import { copied, flag, number, object, oneOf, optional, text } from "./field.js";

/** Timeout of a handler of a stop hook, in milliseconds (D19). */
const STOP_DEADLINE_MS = 5_000;

type InstallEvent = HookMap["before_install"]["event"];

const getCron = optional(object<() => CronService>("() => CronService"));

/** Fields of the context while the host serves, and of its last hook. */
const servingContext = {
  port: optional(number),
  getCron,
  abortSignal: optional(object<AbortSignal>("AbortSignal")),
};

/** Hooks about the host's start and stop, its schedule, and installations. */
export const lifecycleCatalog: HookCatalogEntries<
  | "gateway_pre_start"
  | "gateway_start"
  | "gateway_pre_stop"
  | "gateway_stop"
  | "cron_changed"
  | "before_install"
> = {
  gateway_pre_start: {
    kind: "observe",
    summary:
      "Before any listener, channel or service starts; a fail-closed handler that fails aborts the boot.",
    step: "G2",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: { port: number, host: text, reason: oneOf("boot", "restart") },
    contextGroup: "host",
    context: {},
  },
  gateway_start: {
    kind: "observe",
    summary: "After channels and listener have started; readiness does not wait for it.",
    step: "G4",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: { port: number, host: text, generation: number },
    contextGroup: "host",
    context: servingContext,
  },
  gateway_pre_stop: {
    kind: "observe",
    summary: "When a stop was requested, while the host still serves.",
    step: "G5",
    deadlineMs: STOP_DEADLINE_MS,
    failure: "open",
    event: { reason: oneOf("signal", "restart", "command", "error"), deadlineMs: number },
    contextGroup: "host",
    context: { getCron },
  },
  gateway_stop: {
    kind: "observe",
    summary: "After intake has stopped and sessions have ended.",
    step: "G8",
    deadlineMs: STOP_DEADLINE_MS,
    failure: "open",
    event: { reason: optional(text) },
    contextGroup: "host",
    context: servingContext,
  },
  cron_changed: {
    kind: "observe",
    summary: "After each committed change of a scheduled job; one dispatch per change.",
    step: "K1",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      action: oneOf("added", "updated", "removed", "started", "finished", "scheduled"),
      jobId: text,
      job: optional(copied(object<CronJob>("CronJob"))),
      runAtMs: optional(number),
      durationMs: optional(number),
      nextRunAtMs: optional(number),
      status: optional(oneOf("ok", "error", "skipped")),
      error: optional(text),
      summary: optional(text),
      deliveryStatus: optional(
        oneOf<CronDeliveryStatus[]>("not-requested", "delivered", "not-delivered", "unknown"),
      ),
      delivered: optional(flag),
      deliveryError: optional(text),
      sessionId: optional(text),
      sessionKey: optional(text),
      runId: optional(text),
      model: optional(text),
      provider: optional(text),
    },
    contextGroup: "host",
    context: { getCron },
  },
  before_install: {
    kind: "decide",
    summary:
      "After the built-in scan and before anything reaches the install folder; may add findings or deny the install.",
    step: "N3",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "closed",
    closedFailure: "the install is denied",
    event: {
      targetType: oneOf("skill", "plugin"),
      targetName: text,
      sourcePath: text,
      sourcePathKind: oneOf("file", "directory"),
      origin: optional(text),
      request: copied(object<InstallEvent["request"]>("{ kind, mode, requestedSpecifier? }")),
      builtinScan: copied(
        object<InstallEvent["builtinScan"]>(
          "{ status, scannedFiles, critical, warn, info, findings, error? }",
        ),
      ),
      plugin: optional(
        copied(
          object<NonNullable<InstallEvent["plugin"]>>(
            "{ pluginId, contentType, packageName?, manifestId?, version?, extensions?, permissions? }",
          ),
        ),
      ),
      skill: optional(
        copied(object<NonNullable<InstallEvent["skill"]>>("{ installId, installSpec? }")),
      ),
    },
    contextGroup: "none",
    context: {
      targetType: oneOf("skill", "plugin"),
      requestKind: text,
      origin: optional(text),
      callDepth: number,
      config: optional(
        object<Readonly<Record<string, unknown>>>("Readonly<Record<string, unknown>>"),
      ),
    },
    result: {
      findings: optional(object<InstallFinding[]>("InstallFinding[]", isFindings)),
      block: optional(flag),
      blockReason: optional(text),
    },
    merge: { findings: "append", block: "any", blockReason: "last" },
    terminal: [{ field: "block", value: true }],
    deny: (reason) => ({ block: true, blockReason: reason }),
  },
};

const SEVERITIES = new Set<unknown>(["info", "warn", "critical"]);

function isFindings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFinding);
}

function isFinding(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "severity" in value &&
    SEVERITIES.has(value.severity) &&
    "ruleId" in value &&
    typeof value.ruleId === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}
