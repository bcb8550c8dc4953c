import { guardResult, makeSingleCall, requestSize, type TurnDependencies } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { WorkerHostPort, WorkerModelCall, WorkerModelReply } from "@openclaw/jobs";
import { isMalformedToolCall, modelCandidates } from "@openclaw/models";
import type { AssistantMessage, Usage } from "@openclaw/plugin-sdk/tools";

const MICRO = 1_000_000;

/**
 * Creates what workers use of the host: models with its failover, budgets and accounting, and its safety pipeline.
 * @param services - returns the services of turns in force
 */
export function createWorkerPort(services: () => TurnDependencies): WorkerHostPort {
  return {
    callModel: (call) => callModel(services(), call),
    guard(toolName, text) {
      const { result } = guardResult(
        toolName,
        { content: [{ type: "text", text }] },
        services().safety,
      );
      return result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    },
  };
}

async function callModel(
  services: TurnDependencies,
  { job, sessionId, model: ref, system, messages, tools, signal, ...settings }: WorkerModelCall,
): Promise<WorkerModelReply> {
  const { models, modelChain, fallbacksOf, budgets, now } = services;
  const { agentId, jobId, maxTokens, maxCost } = job;
  const preferred = await models.resolve(ref);
  const fallbacks = fallbacksOf?.(agentId, preferred.ref) ?? [];
  const candidates = modelCandidates(preferred, fallbacks, (name) => models.resolve(name));
  const limited = {
    ...services,
    budgets: { ...budgets, job: { maxTokens, maxCostUsd: maxCost / MICRO } },
  };
  return await modelChain.run({ candidates, signal }, async ({ model, events }) => {
    const { toolChoice, temperature, maxOutputTokens } = settings;
    const request = {
      ...{ system, messages, tools: [...tools] },
      ...defined({ toolChoice, temperature, maxOutputTokens }),
    };
    const caller = { agentId, sessionId, jobId };
    const size = requestSize({ request });
    return await makeSingleCall(limited, { caller, model, size }, async () => {
      const content: AssistantMessage["content"] = [];
      let usage: Usage = {};
      let stopReason: AssistantMessage["stopReason"] = "other";
      for await (const event of events(request)) {
        if (event.type === "text") {
          const last = content.at(-1);
          if (last?.type === "text") last.text += event.delta;
          else content.push({ type: "text", text: event.delta });
        } else if (event.type === "thinking-signed") {
          const { text, providerData } = event;
          content.push({ type: "thinking", text, providerData });
        } else if (event.type === "tool-call") {
          const { call } = event;
          const params = isMalformedToolCall(call) ? call.rawParams : call.params;
          const { toolCallId, toolName } = call;
          const providerData = isMalformedToolCall(call) ? undefined : call.providerData;
          content.push({
            ...{ type: "toolCall", toolCallId, toolName, params },
            ...defined({ providerData }),
          });
        } else if (event.type === "finish") {
          usage = event.usage;
          stopReason = event.stopReason;
        }
      }
      const { provider, ref: reference } = model;
      const message: AssistantMessage = {
        ...{ role: "assistant", content, provider, model: reference, stopReason, usage },
        timestamp: now(),
      };
      return { message, usage };
    });
  });
}
