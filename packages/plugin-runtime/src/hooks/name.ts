import { didYouMean, nearestNames } from "@openclaw/foundation";
import type { DiagnosticCode, DiagnosticLevel } from "@openclaw/plugin-discovery";
import { HOOK_NAMES, isHookName, LIFECYCLE_ALIASES, LIFECYCLE_PHASES } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { isColonEvent } from "./colon-events.js";

/** The methods by which a handler is registered. */
export type HookEntryPoint = "on" | "lifecycle.on" | "registerHook";

/** The hook that a name means to a registrar, or the reason that it means none. */
export type FoundHook =
  | { readonly hook: CataloguedHookName; readonly alias?: string }
  /** An event of older plugins, or all events of a type (LIFE-040). */
  | { readonly colonEvent: string }
  | {
      readonly level: DiagnosticLevel;
      readonly code: DiagnosticCode;
      readonly problem: string;
      readonly hint: string;
    };

/** Hooks of other versions of the API, and their replacements here (LIFE-025). */
const OTHER_VERSIONS: Readonly<Record<string, string>> = {
  deactivate: "release what the plugin holds in api.lifecycle.onDispose(callback)",
  reply_payload_sending: 'use "before_dispatch", which sees and may replace the payload',
  resolve_exec_env: "it is not offered by this host; remove the handler",
  channel_pairing_requested: "it is not offered by this host; remove the handler",
  cron_reconciled: "it is not offered by this host; remove the handler",
  subagent_progress: "it is not offered by this host; remove the handler",
  skill_proposal_evaluate: "it is not offered by this host; remove the handler",
  skill_proposal_changed: "it is not offered by this host; remove the handler",
  skill_changed: "it is not offered by this host; remove the handler",
};

/** Points of the hook engine of IronClaw, and the equivalent hooks here (HCR-017). */
const IRONCLAW_POINTS: Readonly<Record<string, CataloguedHookName>> = {
  beforeInbound: "message_receiving",
  beforeOutbound: "message_sending",
  beforeToolCall: "before_tool_call",
  onSessionStart: "session_start",
  onSessionEnd: "session_end",
  transformResponse: "transform_response",
  transcribeAudio: "transcribe_audio",
};

/**
 * Finds the hook that a name means (LIFE-024, LIFE-025, LIFE-029, LIFE-030).
 * @param entryPoint - the method that received the name
 * @param name - a hook name, or a phase or alias at `lifecycle.on`
 */
export function findHook(entryPoint: HookEntryPoint, name: string): FoundHook {
  const phaseHook = hookOfPhase(name);
  if (entryPoint === "lifecycle.on") {
    if (phaseHook !== undefined) return { hook: phaseHook, alias: name };
    if (isHookName(name))
      return wrongEntryPoint(`"${name}" is a hook, not a phase`, `api.on("${name}", …)`);
  } else {
    if (isHookName(name)) return { hook: name };
    if (phaseHook !== undefined) {
      return wrongEntryPoint(
        `"${name}" is a lifecycle phase, not a hook`,
        `api.lifecycle.on("${name}", …)`,
      );
    }
  }
  if (Object.hasOwn(IRONCLAW_POINTS, name)) return ofIronClaw(name);
  if (Object.hasOwn(OTHER_VERSIONS, name)) return ofOtherVersion(name);
  if (entryPoint === "registerHook" && isColonEvent(name)) return { colonEvent: name };
  return unknown(entryPoint, name);
}

function hookOfPhase(name: string): CataloguedHookName | undefined {
  const phase = Object.hasOwn(LIFECYCLE_ALIASES, name)
    ? LIFECYCLE_ALIASES[name as keyof typeof LIFECYCLE_ALIASES]
    : name;
  return Object.hasOwn(LIFECYCLE_PHASES, phase)
    ? LIFECYCLE_PHASES[phase as keyof typeof LIFECYCLE_PHASES]
    : undefined;
}

function wrongEntryPoint(problem: string, call: string): FoundHook {
  return { level: "error", code: "wrong-door", problem, hint: `call ${call} instead` };
}

function ofIronClaw(name: string): FoundHook {
  return {
    level: "error",
    code: "hook-of-other-version",
    problem: `"${name}" is a hook point of IronClaw`,
    hint: `it is the hook "${IRONCLAW_POINTS[name]}" here`,
  };
}

function ofOtherVersion(name: string): FoundHook {
  return {
    level: "error",
    code: "hook-of-other-version",
    problem: `"${name}" is a hook of another version of the plugin API`,
    hint: OTHER_VERSIONS[name] ?? "remove the handler",
  };
}

function unknown(entryPoint: HookEntryPoint, name: string): FoundHook {
  const phases = [...Object.keys(LIFECYCLE_PHASES), ...Object.keys(LIFECYCLE_ALIASES)];
  const near = nearestNames(
    name,
    entryPoint === "lifecycle.on" ? phases : [...HOOK_NAMES, ...phases],
  );
  const what = entryPoint === "lifecycle.on" ? "lifecycle phase or alias" : "hook";
  return {
    level: "error",
    code: "unknown-hook",
    problem: `"${name}" is not a ${what} of this host`,
    hint: didYouMean(near) ?? "see docs/reference/hooks.md",
  };
}
