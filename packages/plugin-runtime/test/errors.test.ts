import {
  type ErrorClass,
  type ErrorSample,
  expectOneCodeEach,
  expectRecognised,
} from "@openclaw/foundation/testing";
import { describe, it } from "vitest";
import * as runtime from "../src/index.js";

const CLASSES: ReadonlyMap<string, ErrorClass> = new Map(
  Object.entries<ErrorClass>({
    PluginRegistrationError: runtime.PluginRegistrationError,
    UnknownPluginHookError: runtime.UnknownPluginHookError,
    PluginNotFoundError: runtime.PluginNotFoundError,
    PluginRuntimeDisposedError: runtime.PluginRuntimeDisposedError,
    PluginPromptFailedError: runtime.PluginPromptFailedError,
    PluginPromptNotFoundError: runtime.PluginPromptNotFoundError,
    PluginProposalError: runtime.PluginProposalError,
  }),
);

/** Every error of the package: its class, one of it, its code and its data. */
const ERRORS: ErrorSample<typeof runtime>[] = [
  [
    "PluginRegistrationError",
    (from) => new from.PluginRegistrationError("guard", "registerTool", "name", "expected a text"),
    "PLUGIN_REGISTRATION_INVALID",
    { pluginId: "guard", member: "registerTool", argument: "name" },
  ],
  [
    "UnknownPluginHookError",
    (from) => new from.UnknownPluginHookError("guard", "tool_cal", "no such hook"),
    "PLUGIN_HOOK_UNKNOWN",
    { pluginId: "guard", hookName: "tool_cal" },
  ],
  [
    "PluginProposalError",
    (from) => new from.PluginProposalError("guard", "isolation", "isolation-tier"),
    "PLUGIN_PROPOSAL_MISSING",
    { pluginId: "guard", proposal: "isolation-tier" },
  ],
  [
    "PluginNotFoundError",
    (from) => new from.PluginNotFoundError("gaurd", "guard"),
    "PLUGIN_NOT_FOUND",
    { pluginId: "gaurd" },
  ],
  [
    "PluginRuntimeDisposedError",
    (from) => new from.PluginRuntimeDisposedError("load"),
    "PLUGIN_RUNTIME_DISPOSED",
    {},
  ],
  [
    "PluginPromptFailedError",
    (from) => new from.PluginPromptFailedError("desk", "triage", "argument team is missing"),
    "PLUGIN_PROMPT_FAILED",
    { pluginId: "desk", prompt: "triage" },
  ],
  [
    "PluginPromptNotFoundError",
    (from) => new from.PluginPromptNotFoundError("desk:triaeg"),
    "PLUGIN_PROMPT_NOT_FOUND",
    {},
  ],
];

const FAMILY = {
  ...{ module: runtime, classes: CLASSES, samples: ERRORS },
  reload: () => import("../src/index.js"),
};

describe("runtime errors", () => {
  it.each(ERRORS)(
    "[SDK-017] include %s with a stable code and data, recognised across copies",
    async (...sample) => await expectRecognised(sample, FAMILY),
  );

  it("[SDK-017] have one class and one code per failure", () => expectOneCodeEach(FAMILY));
});
