import type { HookExamples } from "./example.js";

/** Examples of the hooks about the host's start and stop, its schedule and installations. */
export const lifecycleExamples: HookExamples<
  | "gateway_pre_start"
  | "gateway_start"
  | "gateway_pre_stop"
  | "gateway_stop"
  | "cron_changed"
  | "before_install"
> = {
  gateway_pre_start: {
    register(api) {
      api.on("gateway_pre_start", ({ host, port }) => {
        if (host === "127.0.0.1" || host === "::1") return;
        api.logger.warn(`the gateway will accept connections from other machines on port ${port}`);
      });
    },
    event: { host: "0.0.0.0", port: 18_789 },
    logs: ["warn: the gateway will accept connections from other machines on port 18789"],
  },
  gateway_start: {
    register(api) {
      api.on("gateway_start", ({ host, port, generation }) => {
        api.logger.info(`serving http://${host}:${port}, plugin generation ${generation}`);
      });
    },
    event: { host: "127.0.0.1", port: 18_789, generation: 1 },
    logs: ["info: serving http://127.0.0.1:18789, plugin generation 1"],
  },
  gateway_pre_stop: {
    register(api) {
      const unsent = ["report"];
      api.on("gateway_pre_stop", ({ reason, deadlineMs }) => {
        const count = unsent.splice(0).length;
        api.logger.info(`flushed ${count} report within ${deadlineMs} ms (stop by ${reason})`);
      });
    },
    event: { reason: "command", deadlineMs: 5000 },
    logs: ["info: flushed 1 report within 5000 ms (stop by command)"],
  },
  gateway_stop: {
    register(api) {
      const connections = new Set(["database"]);
      api.on("gateway_stop", ({ reason }) => {
        connections.clear();
        api.logger.info(`connections closed (${reason ?? "no reason given"})`);
      });
    },
    event: { reason: "signal" },
    logs: ["info: connections closed (signal)"],
  },
  cron_changed: {
    register(api) {
      api.on("cron_changed", ({ action, jobId, status, error }) => {
        if (action !== "finished" || status !== "error") return;
        api.logger.warn(`scheduled job ${jobId} failed: ${error}`);
      });
    },
    event: { action: "finished", jobId: "nightly", status: "error", error: "no such file" },
    logs: ["warn: scheduled job nightly failed: no such file"],
  },
  before_install: {
    register(api) {
      const allowed = ["@acme/"];
      api.on("before_install", ({ targetType, targetName, request }) => {
        if (targetType !== "plugin" || request.kind !== "plugin-npm") return;
        if (allowed.some((scope) => targetName.startsWith(scope))) return;
        return { block: true, blockReason: `${targetName} is not in a permitted npm scope` };
      });
    },
    event: { targetName: "left-pad", request: { kind: "plugin-npm", mode: "install" } },
    result: { block: true, blockReason: "left-pad is not in a permitted npm scope" },
  },
};
