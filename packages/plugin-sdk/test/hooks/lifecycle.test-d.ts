import { describe, expectTypeOf, it } from "vitest";
import type { CronJob, InstallFinding } from "../../src/hooks.js";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of the host", () => {
  it("gateway_pre_start", () => {
    api.on("gateway_pre_start", ({ port, host, reason }, { config, workspaceDir }) => {
      expectTypeOf(port).toEqualTypeOf<number>();
      expectTypeOf(host).toEqualTypeOf<string>();
      expectTypeOf(reason).toEqualTypeOf<"boot" | "restart">();
      expectTypeOf(workspaceDir).toEqualTypeOf<string | undefined>();
      expectTypeOf(config).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
    });
    // @ts-expect-error an observer decides nothing
    api.on("gateway_pre_start", () => ({ block: true }));
  });

  it("gateway_start", () => {
    api.on("gateway_start", async ({ generation }, { port, abortSignal, getCron }) => {
      expectTypeOf(generation).toEqualTypeOf<number>();
      expectTypeOf(port).toEqualTypeOf<number | undefined>();
      expectTypeOf(abortSignal).toEqualTypeOf<AbortSignal | undefined>();
      expectTypeOf(await getCron?.().list()).toEqualTypeOf<readonly CronJob[] | undefined>();
    });
    // @ts-expect-error there is no such field
    api.on("gateway_start", ({ generations }) => generations);
  });

  it("gateway_pre_stop", () => {
    api.on("gateway_pre_stop", ({ reason, deadlineMs }) => {
      expectTypeOf(reason).toEqualTypeOf<"signal" | "restart" | "command" | "error">();
      expectTypeOf(deadlineMs).toEqualTypeOf<number>();
    });
    api.on("gateway_pre_stop", (event) => {
      // @ts-expect-error events are read only
      event.deadlineMs = 0;
    });
  });

  it("gateway_stop", () => {
    api.on("gateway_stop", ({ reason }) => {
      expectTypeOf(reason).toEqualTypeOf<string | undefined>();
    });
    // @ts-expect-error the reason may be absent
    api.on("gateway_stop", ({ reason }) => reason.length);
  });

  it("cron_changed", () => {
    api.on("cron_changed", ({ action, job, deliveryStatus }) => {
      expectTypeOf(action).toEqualTypeOf<
        "added" | "updated" | "removed" | "started" | "finished" | "scheduled"
      >();
      expectTypeOf(job?.state.lastRunStatus).toEqualTypeOf<
        "ok" | "error" | "skipped" | undefined
      >();
      expectTypeOf(deliveryStatus).toEqualTypeOf<
        "not-requested" | "delivered" | "not-delivered" | "unknown" | undefined
      >();
    });
    api.on("cron_changed", ({ job }) => {
      // @ts-expect-error also at depth
      if (job) job.state.nextRunAtMs = 1;
    });
  });

  it("before_install", () => {
    const finding = { ruleId: "r", severity: "warn", file: "f", line: 1, message: "m" } as const;
    api.on("before_install", ({ targetType, builtinScan }) => {
      expectTypeOf(targetType).toEqualTypeOf<"skill" | "plugin">();
      expectTypeOf(builtinScan.findings).toExtend<readonly Readonly<InstallFinding>[]>();
      return { block: true, blockReason: "not here", findings: [finding] };
    });
    // @ts-expect-error a severity has one of three names
    api.on("before_install", () => ({ findings: [{ ...finding, severity: "fatal" }] }));
    // @ts-expect-error there is no such result field
    api.on("before_install", () => ({ block: true, reason: "not here" }));
  });
});
