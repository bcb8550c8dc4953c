import type { AgentHarness } from "@openclaw/plugin-sdk/plugin-entry";
import {
  expectFunction,
  expectObject,
  expectOptionalFunction,
  expectText,
  wrongArgument,
} from "../check.js";
import type { RegistrationOrigin } from "../origin.js";

/** A harness that runs turns instead of the model loop of the host. */
export interface PluginAgentHarnessRegistration extends RegistrationOrigin {
  readonly harness: AgentHarness;
}

/** Names of the configuration that do not name a harness. */
const RESERVED: readonly string[] = ["auto", "openclaw", "pi"];

/**
 * Checks the argument of `api.registerAgentHarness`.
 * @param harness - the harness with its id
 * @throws PluginRegistrationError naming the field
 */
export function readAgentHarness(
  origin: RegistrationOrigin,
  harness: AgentHarness,
): PluginAgentHarnessRegistration {
  const call = { origin, member: "registerAgentHarness" };
  expectObject(call, "harness", harness);
  const id = expectText(call, "id", harness.id);
  if (RESERVED.includes(id)) {
    const problem = `${JSON.stringify(id)} names another runtime in configurations; choose another id`;
    throw wrongArgument(call, "id", problem);
  }
  expectFunction(call, "supports", harness.supports);
  expectFunction(call, "runAttempt", harness.runAttempt);
  expectOptionalFunction(call, "dispose", harness.dispose);
  return { ...origin, harness };
}
