import { PLUGIN_APPROVAL_TITLE_MAX_LENGTH } from "openclaw/plugin-sdk/approval-runtime";
import { isHookName } from "openclaw/plugin-sdk/hook-runtime";
import { withFileLock } from "openclaw/plugin-sdk/infra-runtime";
import { createSubsystemLogger } from "openclaw/plugin-sdk/logging-core";
import { normalizePluginHttpPath } from "openclaw/plugin-sdk/plugin-runtime";
import { sleep } from "openclaw/plugin-sdk/runtime-env";
import { resolveStateDir } from "openclaw/plugin-sdk/state-paths";
import { buildRandomTempFilePath } from "openclaw/plugin-sdk/temp-path";
import { withEnv } from "openclaw/plugin-sdk/testing";

const helpers = [
  isHookName,
  withFileLock,
  createSubsystemLogger,
  sleep,
  resolveStateDir,
  buildRandomTempFilePath,
  withEnv,
];

export const register = (api) => {
  if (api.registrationMode !== "full") return;
  if (helpers.some((helper) => typeof helper !== "function"))
    throw new Error("a helper is missing");
  api.session.state.registerSessionExtension({
    namespace: "sign-off",
    description: "Whether the last step was signed off.",
    cleanup: () => {},
  });
  api.registerTrustedToolPolicy({
    id: "sign-off.limit",
    description: "Allows one step at a time.",
    evaluate: () => undefined,
  });
  api.lifecycle.registerRuntimeLifecycle({ id: "sign-off", cleanup: () => {} });
  api.registerToolMetadata({ toolName: "sign_off", risk: "high" });
  api.registerTool({
    name: "sign_off",
    label: "Sign off",
    description: "Asks for a signature.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [], details: PLUGIN_APPROVAL_TITLE_MAX_LENGTH }),
  });
  api.registerHttpRoute({
    path: normalizePluginHttpPath("sign-off"),
    auth: "gateway",
    match: "prefix",
    handler: () => true,
  });
  api.on("agent_turn_prepare", () => ({ prependContext: "Sign off each step." }));
  api.on("before_tool_call", () => undefined, { priority: 100 });
  api.registerMemoryPromptSection(() => ["Remember signatures."]);
};
