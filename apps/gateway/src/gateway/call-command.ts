import { GatewayUnreachableError } from "@openclaw/client";
import { defined } from "@openclaw/foundation";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { readJsonObject } from "../shell/json-argument.js";

/**
 * Runs `openclaw gateway call`: calls a method of the running gateway, also a method of a plugin, and prints the result.
 * @param params - JSON object, or `-` for standard input
 * @param options - idempotency key and format
 * @param context - terminal and environment
 * @throws GatewayUnreachableError when no gateway uses the state folder
 */
export async function callCommand(
  method: string,
  params: string,
  { idempotencyKey, json = false }: { idempotencyKey?: string; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const parameters = await readJsonObject(params, "the parameters");
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) {
    throw new GatewayUnreachableError(
      `no gateway uses the state folder ${stateDirOf(environment)}; start one with \`openclaw gateway run\``,
    );
  }
  const result = await running.http.client.invoke(method, parameters, defined({ idempotencyKey }));
  terminal.print(JSON.stringify(result, undefined, json ? undefined : 2));
  return EXIT.ok;
}
