import type { ReplyPreview } from "@openclaw/plugin-sdk/hooks";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { passes } from "../definition/filter.js";
import type { Outcome } from "../definition/outcome.js";
import type { ActiveHook } from "../set/active-hook.js";
import type { HookInput } from "./input.js";
import type { PointName } from "./point.js";
import * as read from "./read-event.js";

const UNCHANGED: ReplyPreview = { push: (delta) => delta, flush: () => "" };

/**
 * Registers a hook at one of its points (DHOOK-001 to DHOOK-007). The host orders the handlers, limits their time and
 * decides what a failure means.
 * @param api - `api` of the plugin
 * @param point - one of its points
 * @returns a function that removes it
 */
export function bindPoint(
  api: Pick<OpenClawPluginApi, "on">,
  hook: ActiveHook,
  point: PointName,
): () => void {
  const { name, priority, timeoutMs, mode, silent } = hook.definition;
  const options = {
    ...{ priority, timeoutMs, name, id: `${name}@${point}` },
    ...(mode === undefined ? {} : { mode: `fail-${mode}` as const }),
  };
  const { filter } = hook.definition;
  const filtered = <Event, Context>(toInput: (event: Event, context: Context) => HookInput) =>
    filter === undefined
      ? {}
      : {
          condition: (event: Event, context: Context) => passes(filter, toInput(event, context)),
        };
  // A webhook changes no reply, so that the text can be shown before it has seen all of it.
  const previewed = hook.definition.action.type === "webhook" ? { preview: () => UNCHANGED } : {};
  switch (point) {
    case "beforeInbound":
      return api.on(
        "message_receiving",
        (event, context) =>
          answer(hook, read.inbound(event, context), context, (outcome) => {
            if (outcome.action === "block") {
              const { reason } = outcome;
              const stopped = { cancel: true, cancelReason: named(reason, name) };
              return silent ? stopped : { ...stopped, reply: reason };
            }
            return contentOf(outcome);
          }),
        { ...options, ...filtered(read.inbound) },
      );
    case "beforeOutbound":
      return api.on(
        "message_sending",
        (event, context) =>
          answer(hook, read.outbound(event, context), context, (outcome) =>
            outcome.action === "block"
              ? { cancel: true, cancelReason: named(outcome.reason, name) }
              : contentOf(outcome),
          ),
        { ...options, ...previewed, ...filtered(read.outbound) },
      );
    case "beforeToolCall":
      return api.on(
        "before_tool_call",
        (event, context) =>
          answer(hook, read.toolCall(event, context), context, (outcome) => {
            if (outcome.action === "block") {
              return { block: true, blockReason: named(outcome.reason, name) };
            }
            return outcome.action === "modify" && "params" in outcome
              ? { params: outcome.params }
              : undefined;
          }),
        { ...options, ...filtered(read.toolCall) },
      );
    case "transformResponse":
      return api.on(
        "transform_response",
        (event, context) =>
          answer(hook, read.response(event, context), context, (outcome) => {
            if (outcome.action === "block") hook.ignore(point, "block");
            return contentOf(outcome);
          }),
        { ...options, ...previewed, ...filtered(read.response) },
      );
    case "transcribeAudio":
      return api.on(
        "transcribe_audio",
        (event, context) =>
          answer(hook, read.audio(event, context), context, (outcome) => {
            if (outcome.action === "block") hook.ignore(point, "block");
            const text = contentOf(outcome)?.content ?? "";
            return text === "" ? undefined : { handled: true, text };
          }),
        { ...options, ...filtered(read.audio) },
      );
    case "onSessionStart":
      return api.on(
        "session_start",
        (event, context) => observe(hook, read.sessionStart(event, context), context),
        { ...options, ...filtered(read.sessionStart) },
      );
    case "onSessionEnd":
      return api.on(
        "session_end",
        (event, context) => observe(hook, read.sessionEnd(event, context), context),
        { ...options, ...filtered(read.sessionEnd) },
      );
    default:
      // Only hooks of bundles have other points, and those are bound by their handler.
      return () => undefined;
  }
}

interface Signalling {
  readonly signal: AbortSignal;
}

/** Answers without a promise when the action does, which saves the host a turn of the event loop. */
function answer<Result>(
  hook: ActiveHook,
  input: HookInput,
  context: Signalling,
  resultOf: (outcome: Outcome) => Result,
): Result | Promise<Result> {
  const outcome = hook.run(input, () => context.signal);
  return outcome instanceof Promise ? outcome.then(resultOf) : resultOf(outcome);
}

function observe(hook: ActiveHook, input: HookInput, context: Signalling): unknown {
  return answer(hook, input, context, ({ action }) => {
    if (action !== "continue") hook.ignore(input.point, action);
  });
}

function contentOf(outcome: Outcome): { readonly content: string } | undefined {
  return outcome.action === "modify" && "content" in outcome
    ? { content: outcome.content }
    : undefined;
}

function named(reason: string, name: string): string {
  return `${reason} (hook ${name})`;
}
