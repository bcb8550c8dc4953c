import { defined } from "@openclaw/foundation";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { telemetryOf } from "./trace-telemetry.js";
import { printWaterfall } from "./trace-waterfall.js";

/** Options of `trace`. */
export interface TraceOptions {
  session?: string;
  hooks?: boolean;
  json?: boolean;
  otlp?: boolean;
}

/**
 * Runs `openclaw trace`: prints the steps of a run.
 * @param runId - run ID; undefined for the newest run
 * @param options - format and level of detail
 * @param context - terminal and environment
 */
export async function traceCommand(
  runId: string | undefined,
  { session, hooks = false, json = false, otlp = false }: TraceOptions,
  context: CommandContext,
): Promise<ExitCode> {
  if (runId !== undefined && session !== undefined) {
    throw new UsageError("name either a run or, with --session, a session to trace its newest run");
  }
  const which = defined({ runId, sessionKey: session });
  const trace = await withGatewayMethods(context, (call) => call("run.trace", which), "reads");
  const { terminal } = context;
  if (otlp) terminal.print(JSON.stringify(telemetryOf(trace)));
  else if (json) terminal.print(JSON.stringify(trace));
  else printWaterfall(trace, terminal, { everyHandler: hooks });
  return EXIT.ok;
}
