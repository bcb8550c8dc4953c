import { NotedResult } from "@openclaw/hook-runner";
import type {
  GrantReach,
  TrustedToolAnswer,
  TrustedToolPolicy,
} from "@openclaw/plugin-sdk/approvals";
import type { HookContext, HookEvent, LiteralCommand } from "@openclaw/plugin-sdk/hooks";
import type { PluginInstance } from "../instances/instance.js";
import { ContainedNeed, GrantableNeed, MetNeed } from "../registration/approval-waivers.js";
import { expectFunction, expectObject, expectText } from "../registration/check.js";
import { readLiteralCommand } from "../registration/literal-command.js";
import type { RegistrationOrigin } from "../registration/origin.js";
import type { Registrar } from "../registration/registrar.js";
import type { PluginTrustedPolicyRegistration } from "../registration/trusted-policy.js";
import type { HookBinding } from "./binding.js";
import type { HookBindings } from "./bindings.js";

const MEMBER = "registerTrustedToolPolicy";

/**
 * Registers a policy that evaluates tool calls: a handler of `before_tool_call` that runs in the
 * stage before all ordinary ones, policies of bundled plugins first (PLUG-037, HOOK-043). A policy
 * that its plugin may not register is omitted, and a diagnostic names the missing permission.
 * @param registrar - adds registrations to the registry
 * @param bindings - passes handlers to the hook engine
 * @param policy - the plugin's policy
 * @throws PluginRegistrationError naming the field
 * @throws HookOptionError for a matcher of a wrong type
 */
export function registerTrustedPolicy(
  registrar: Registrar,
  bindings: HookBindings,
  policy: TrustedToolPolicy,
): void {
  const { instance } = registrar;
  instance.assertUsable(MEMBER);
  const item = readTrustedPolicy(instance.origin, policy);
  const missing = whatIsMissing(instance, policy.id);
  if (missing !== undefined) {
    instance.diagnose({
      level: "error",
      code: "trusted-policy-refused",
      message: `trusted tool policy "${policy.id}" of plugin "${instance.id}" is left out: ${missing.reason}`,
      hint: missing.hint,
    });
    return;
  }
  const binding = policyBinding(instance, policy);
  bindings.check(binding);
  bindings.stage(item, [binding]);
  registrar.add(MEMBER, "trustedToolPolicies", () => item);
}

function readTrustedPolicy(
  origin: RegistrationOrigin,
  policy: TrustedToolPolicy,
): PluginTrustedPolicyRegistration {
  const call = { origin, member: MEMBER };
  expectObject(call, "policy", policy);
  const id = expectText(call, "id", policy.id);
  expectText(call, `description of policy "${id}"`, policy.description);
  expectFunction(call, `evaluate of policy "${id}"`, policy.evaluate);
  return { ...origin, policy };
}

/**
 * Returns the plugin's missing permission to evaluate calls for the host; undefined when it has
 * all.
 */
function whatIsMissing(
  { id, identity, grants }: PluginInstance,
  policyId: string,
): { reason: string; hint: string } | undefined {
  if (identity.origin === "bundled") return undefined;
  if (grants.entry?.enabled !== true && grants.named !== true) {
    return {
      reason: "the operator has not enabled the plugin by name",
      hint: `set plugins.entries.${id}.enabled: true`,
    };
  }
  if (grants.contracts?.trustedToolPolicies?.includes(policyId) === true) return undefined;
  return {
    reason: "its manifest does not declare the policy",
    hint: `write into the manifest: "contracts": { "trustedToolPolicies": ["${policyId}"] }`,
  };
}

function policyBinding(instance: PluginInstance, policy: TrustedToolPolicy): HookBinding {
  const { id, description, matcher } = policy;
  const toolNames = typeof matcher === "string" ? [matcher] : matcher;
  const answer = (value: TrustedToolAnswer) => hookResult(instance, id, value);
  return {
    hook: "before_tool_call",
    owner: instance.origin,
    stage: "policy",
    handler(event: HookEvent<"before_tool_call">, context: HookContext<"before_tool_call">) {
      const answered = policy.evaluate(event, context);
      return isThenable(answered) ? Promise.resolve(answered).then(answer) : answer(answered);
    },
    options: {
      name: id,
      priority: instance.identity.origin === "bundled" ? 1 : 0,
      ...(toolNames === undefined ? {} : { scope: { toolNames: [...toolNames] } }),
    },
    description,
    active: true,
  };
}

/** Any thenable counts: the engine would await it, and its verdict would not be translated. */
function isThenable(value: unknown): value is PromiseLike<TrustedToolAnswer> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

/**
 * Returns a verdict as the hook expects it, with a note where it waives the tool's approval; any
 * other value is returned unchanged for the hook to check (D25).
 */
function hookResult(
  instance: PluginInstance,
  policyId: string,
  answer: TrustedToolAnswer,
): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  if (!("allow" in answer) && !("approval" in answer)) return answer;
  const {
    allow,
    approval,
    reason,
    command,
    access,
    uncovered,
    reach,
    grantableCommand,
    ...result
  } = answer;
  if (allow !== undefined && typeof allow !== "boolean") {
    throw new TypeError(`"allow" is wrong: expected boolean, got ${typeof allow}`);
  }
  const blockReason =
    reason ?? `the policy "${policyId}" of plugin "${instance.id}" does not allow it`;
  const answered = allow === false ? { ...result, block: true, blockReason } : result;
  if (approval === undefined) return answered;
  const policy = { pluginId: instance.id, policyId };
  const stated = readReason(reason);
  const read = command === undefined ? undefined : readLiteralCommand(command);
  const grantable = (given: LiteralCommand | undefined) =>
    new GrantableNeed(policy, { reason: stated, ...readGrantable(given, uncovered, reach) });
  const need = () => {
    switch (readApproval(approval)) {
      case "satisfied":
        return new MetNeed(policy, { reason: stated, command: read, access: readAccess(access) });
      case "grantable":
        return grantable(read);
      case "contained": {
        const covered =
          grantableCommand === undefined ? read : readLiteralCommand(grantableCommand);
        const otherwise = uncovered === undefined ? undefined : grantable(covered);
        return new ContainedNeed(policy, { reason: stated, command: read, otherwise });
      }
    }
  };
  return new NotedResult(answered, need());
}

function readAccess(access: unknown): MetNeed["access"] {
  if (access === undefined || access === "read-only" || access === "workspace") return access;
  throw new TypeError(
    `"access" is wrong: expected "read-only" or "workspace", got ${String(access)}`,
  );
}

function readGrantable(
  command: LiteralCommand | undefined,
  uncovered: unknown,
  reach: unknown,
): Pick<GrantableNeed, "command" | "uncovered" | "reach"> {
  if (command === undefined) throw new TypeError(`"command" is missing: "grantable" needs one`);
  const count = command.pipelines.reduce((sum, { programs }) => sum + programs.length, 0);
  const isPosition = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value < count;
  if (!Array.isArray(uncovered) || uncovered.length === 0 || !uncovered.every(isPosition)) {
    throw new TypeError(
      `"uncovered" is wrong: expected positions of programs of "command", from 0 to ${count - 1}`,
    );
  }
  return { command, uncovered, reach: readReach(reach, uncovered.length) };
}

function readReach(reach: unknown, count: number): readonly GrantReach[] {
  if (reach === undefined) return new Array<GrantReach>(count).fill("sandbox");
  if (!Array.isArray(reach) || reach.length !== count || !reach.every(isReach)) {
    throw new TypeError(
      `"reach" is wrong: expected one of "exact", "sandbox" or a number of words for each program in "uncovered"`,
    );
  }
  return reach;
}

function isReach(value: unknown): value is GrantReach {
  if (value === "exact" || value === "sandbox") return true;
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function readApproval(approval: unknown): "satisfied" | "grantable" | "contained" {
  if (approval === "satisfied" || approval === "grantable" || approval === "contained") {
    return approval;
  }
  throw new TypeError(
    `"approval" is wrong: expected "satisfied", "grantable" or "contained", got ${String(approval)}`,
  );
}

/** Returns the reason of an answer about the approval. */
function readReason(reason: unknown): string {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new TypeError(`"reason" is missing: "approval" needs one, for the audit`);
  }
  return reason;
}
