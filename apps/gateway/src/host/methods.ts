import type { GatewayClient } from "@openclaw/client";
import type { Gateway } from "@openclaw/gateway";
import { type CallMethod, type GatewayMethods, OPERATOR_CALL } from "@openclaw/protocol";
import type { CommandContext } from "../shell/context.js";
import { findRunningGateway } from "./running-gateway.js";

/** Host whose methods a command calls: a running gateway, or one that was started only for the command. */
export type CommandHost =
  | {
      readonly isRunning: true;
      readonly url: string;
      readonly token: string;
      readonly client: Pick<GatewayClient, "invoke">;
    }
  | { readonly isRunning: false; readonly gateway: Gateway };

/** Access of a command to the state folder: one that changes it waits up to 5 s for other commands. */
export type CommandAccess = "changes" | "reads";

/**
 * Gives a command the methods of a gateway: those of the running gateway, so that the output describes that
 * gateway (GW-026), else those of a host that is started only for this command.
 * @param context - terminal and environment
 * @param work - function of the command that calls them; it also learns whether a gateway is running
 * @param access - `reads` for a command that changes nothing, which runs whatever other processes do
 */
export async function withGatewayMethods<Result>(
  context: CommandContext,
  work: (call: CallMethod<GatewayMethods>, host: CommandHost) => Promise<Result>,
  access: CommandAccess = "changes",
): Promise<Result> {
  const running = await findRunningGateway(context.environment);
  if (running?.http !== undefined) {
    const { client, url, token } = running.http;
    return work(client.call, { isRunning: true, url, token, client });
  }
  // Most commands find a running gateway, and are fast because they do not load one.
  const { startHost } = await import("./start.js");
  const gateway = await startHost(
    { isForCommand: true, isReading: access === "reads" },
    context,
    undefined,
    { onModelMissing: (problem) => context.terminal.note(`openclaw: ${problem}`) },
  );
  try {
    const methods = await gateway.methods();
    return await work((method, parameters) => methods.call(method, parameters), {
      isRunning: false,
      gateway,
    });
  } finally {
    await gateway.stop("command");
  }
}

/** Calls a method of the gateway or of a plugin by its name. */
export type InvokeMethod = (
  method: string,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

/**
 * Returns the function by which a command calls any method, also one of a plugin.
 * @param host - running gateway, or a host that was started for the command
 */
export function invokerOf(host: CommandHost): InvokeMethod {
  if (host.isRunning) return (method, parameters) => host.client.invoke(method, parameters);
  return async (method, parameters) => {
    const methods = await host.gateway.methodsOfAll();
    return await methods.dispatch(method, parameters, OPERATOR_CALL);
  };
}
