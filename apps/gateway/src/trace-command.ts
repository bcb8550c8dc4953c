import type { CommandContext } from "./command-line.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { withGatewayMethods } from "./gateway-methods.js";
import { telemetryOf } from "./trace-telemetry.js";
import { printWaterfall } from "./trace-waterfall.js";

/** Options of `trace`. */
export interface TraceOptions {
  hooks?: boolean;
  json?: boolean;
  otlp?: boolean;
}

/**
 * `openclaw trace`: what happened in a run.
 * @param runId - of the run
 * @param options - form, and how much of it
 * @param context - terminal and environment
 */
export async function traceCommand(
  runId: string,
  { hooks = false, json = false, otlp = false }: TraceOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const trace = await withGatewayMethods(context, (call) => call("run.trace", { runId }));
  const { terminal } = context;
  if (otlp) terminal.print(JSON.stringify(telemetryOf(trace)));
  else if (json) terminal.print(JSON.stringify(trace));
  else printWaterfall(trace, terminal, { everyHandler: hooks });
  return EXIT.ok;
}
