import { env } from "node:process";
import { definePluginEntry, headerFault } from "@openclaw/plugin-sdk/plugin-entry";
import { ProviderSettingInvalidError } from "@openclaw/plugin-sdk/provider-entry";
import { ContentCapture } from "./content-capture.js";
import { HOOK_SPANS, SPAN_DEFINITIONS } from "./span-kinds.js";

/** Configuration of the plugin. */
interface OtelConfig {
  readonly endpoint?: string;
  readonly headers?: Record<string, string>;
  readonly serviceName?: string;
  readonly sampleRatio?: number;
  readonly hooks?: boolean;
  readonly content?: boolean;
}

const DEFAULT_ENDPOINT = "http://localhost:4318";
/** Part of the stop of the host in which waiting spans are sent. */
const FLUSH_MS = 2000;
/** A collector that is down is reported once in this time. */
const REPORT_EVERY_MS = 60_000;

export default definePluginEntry<OtelConfig>({
  id: "otel",
  name: "OpenTelemetry",
  description:
    "Sends spans of turns, model calls, tools, hooks, approvals and messages to an OpenTelemetry collector.",
  register(api) {
    const {
      serviceName = "openclaw",
      sampleRatio = 1,
      hooks = true,
      content = false,
      headers = {},
    } = api.pluginConfig;
    const endpoint =
      api.pluginConfig.endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? DEFAULT_ENDPOINT;
    for (const [name, value] of Object.entries(headers)) {
      const fault = headerFault(value);
      const source = `plugins.entries.otel.config.headers.${name}`;
      if (fault !== undefined)
        throw new ProviderSettingInvalidError("otel", { value, source }, fault);
    }
    const capture = content
      ? new ContentCapture((value) => api.runtime.logging.redact(value))
      : undefined;
    if (capture !== undefined) {
      api.on("llm_input", (event) => capture.input(event));
      api.on("llm_output", (event) => capture.output(event));
      api.on("after_tool_call", (event) => capture.toolEnd(event));
    }
    let stop: (() => Promise<void>) | undefined;

    api.registerService({
      id: "otel",
      async start({ logger }) {
        const { startExport } = await import("./start-export.js");
        let reportedAt = Number.NEGATIVE_INFINITY;
        stop = startExport({
          url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
          headers,
          serviceName,
          sampleRatio,
          content: capture,
          definitions: hooks ? [...SPAN_DEFINITIONS, HOOK_SPANS] : SPAN_DEFINITIONS,
          flushMs: FLUSH_MS,
          onFailure(problem, counts) {
            if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
            reportedAt = performance.now();
            logger.warn(`spans could not be sent to ${endpoint}: ${problem}`, { ...counts });
          },
        });
      },
      async stop() {
        await stop?.();
      },
    });
  },
});
