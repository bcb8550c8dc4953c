import type { HostContext } from "./context.js";

/** Scheduled job as shown to plugins. */
export interface CronJob {
  id: string;
  name: string;
  schedule: string;
  state: { nextRunAtMs?: number; lastRunStatus?: "ok" | "error" | "skipped"; lastError?: string };
}

/** Delivery status of a scheduled job's output. */
export type CronDeliveryStatus = "not-requested" | "delivered" | "not-delivered" | "unknown";

/** Reads scheduled jobs. */
export interface CronService {
  list(): Promise<readonly CronJob[]>;
}

interface CronContext extends HostContext {
  getCron?(): CronService;
}

/** Context of the hooks that fire when the host serves, and when it has stopped serving. */
interface ServingContext extends CronContext {
  /** Port that the host listens on, 0 for none. */
  readonly port?: number;
  /** Aborts when the host stops. */
  readonly abortSignal?: AbortSignal;
}

/** One finding of an install scan. */
export interface InstallFinding {
  ruleId: string;
  severity: "info" | "warn" | "critical";
  file: string;
  line: number;
  message: string;
}

/** Hooks for start and stop of the host, scheduled jobs, and installation of plugins. */
export interface LifecycleHooks {
  /** Fires before any listener, channel or service starts; a failing `fail-closed` handler aborts the start. */
  gateway_pre_start: {
    kind: "observe";
    event: { port: number; host: string; reason: "boot" | "restart" };
    context: HostContext;
    result: undefined;
  };
  /** Fires after channels and listener have started; readiness does not wait for it. */
  gateway_start: {
    kind: "observe";
    event: { port: number; host: string; generation: number };
    context: ServingContext;
    result: undefined;
  };
  /** Fires when a stop was requested, while the host still serves. */
  gateway_pre_stop: {
    kind: "observe";
    event: { reason: "signal" | "restart" | "command" | "error"; deadlineMs: number };
    context: CronContext;
    result: undefined;
  };
  /** Fires after intake has stopped and sessions have ended. */
  gateway_stop: {
    kind: "observe";
    event: { reason?: string };
    context: ServingContext;
    result: undefined;
  };
  /** Fires after each committed change of a scheduled job. */
  cron_changed: {
    kind: "observe";
    event: {
      action: "added" | "updated" | "removed" | "started" | "finished" | "scheduled";
      jobId: string;
      job?: CronJob;
      runAtMs?: number;
      durationMs?: number;
      nextRunAtMs?: number;
      status?: "ok" | "error" | "skipped";
      error?: string;
      summary?: string;
      deliveryStatus?: CronDeliveryStatus;
      delivered?: boolean;
      deliveryError?: string;
      sessionId?: string;
      sessionKey?: string;
      runId?: string;
      model?: string;
      provider?: string;
    };
    context: CronContext;
    result: undefined;
  };
  /** Fires after the built-in scan and before any file is written to the install folder. */
  before_install: {
    kind: "decide";
    event: {
      targetType: "skill" | "plugin";
      targetName: string;
      sourcePath: string;
      sourcePathKind: "file" | "directory";
      origin?: string;
      request: {
        kind:
          | "skill-install"
          | "plugin-dir"
          | "plugin-archive"
          | "plugin-file"
          | "plugin-npm"
          | "plugin-git";
        mode: "install" | "update";
        requestedSpecifier?: string;
      };
      builtinScan: {
        status: "ok" | "error";
        scannedFiles: number;
        critical: number;
        warn: number;
        info: number;
        findings: InstallFinding[];
        error?: string;
      };
      plugin?: {
        pluginId: string;
        contentType: string;
        packageName?: string;
        manifestId?: string;
        version?: string;
        extensions?: string[];
        permissions?: Record<string, unknown>;
      };
      skill?: { installId: string; installSpec?: string };
    };
    context: {
      readonly targetType: "skill" | "plugin";
      readonly requestKind: string;
      readonly origin?: string;
      readonly callDepth: number;
      readonly config?: Readonly<Record<string, unknown>>;
    };
    result: { findings?: InstallFinding[]; block?: boolean; blockReason?: string };
  };
}
