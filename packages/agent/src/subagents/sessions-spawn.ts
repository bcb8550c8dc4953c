import { answer, ToolRefusalError } from "@openclaw/core-tools";
import { canonicalJson, defined, nearestNames, sha256 } from "@openclaw/foundation";
import { type ModelCatalog, ModelNotFoundError } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HookMap, Origin } from "@openclaw/plugin-sdk/hooks";
import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import { type Static, Type } from "typebox";
import type { TurnOrigin } from "../context/request.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import { logRejection } from "../observation.js";
import { newTrace, stepTrace, traceFields } from "../trace.js";
import type { SubagentSpawned, Subagents } from "./subagents.js";

const MAX_TASK_BYTES = 32 * 1024;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;
const NAME = "sessions_spawn";

const parameters = Type.Object(
  {
    task: Type.String({
      minLength: 1,
      description: "All it needs to know; at most 32 KiB.",
    }),
    agentId: Type.Optional(Type.String({ minLength: 1, description: "Default: this one." })),
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Short name." })),
    model: Type.Optional(
      Type.String({ minLength: 1, description: "provider/model. Default: the agent's." }),
    ),
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 64,
        description: "Default: those of this session.",
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: MAX_TIMEOUT_MS,
        description: "Default: no limit.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Dependencies of the `sessions_spawn` tool. */
export interface SpawnDependencies {
  readonly store: Store;
  readonly models: Pick<ModelCatalog, "resolve">;
  readonly logger: Logger;
}

type SpawnParameters = Static<typeof parameters>;

/**
 * Creates the `sessions_spawn` tool, which gives a task to a subagent that runs in the background
 * (TURN-052). The answer arrives with the next turn of the parent session.
 * @param subagents - the subagents of the host
 */
export function createSessionsSpawnTool(
  turn: RunningTurn<SpawnDependencies>,
  subagents: Subagents,
) {
  return defineTool({
    name: NAME,
    label: "Spawn a subagent",
    description:
      "Give a task to a subagent while this session continues. Its answer precedes the next message.",
    parameters,
    // The same call names the same subagent, so that a repeat after a crash finds it.
    idempotent: true,
    execute: (toolCallId, params) =>
      answer("spawn a subagent", () => spawn(toolCallId, params, turn, subagents)),
  });
}

async function spawn(
  toolCallId: string,
  params: SpawnParameters,
  turn: RunningTurn<SpawnDependencies>,
  subagents: Subagents,
) {
  const { request, dependencies, state } = turn;
  const { store, models, logger } = dependencies;
  const { runId, sessionKey: requesterSessionKey, origin } = request;
  const { task, label, tools, timeoutMs } = params;
  const depth = (request.subagent?.depth ?? 0) + 1;
  assertSpawn(task, depth, subagents);
  const agentId = agentOf(params, request.agentId, subagents);
  const model = await modelOf(params, agentId, models, subagents);
  const sessionKey = `agent:${agentId}:subagent:${childId(runId, toolCallId, params)}`;
  const known = await store.sessions.subagents.ofSession(sessionKey);
  if (known !== undefined) return accepted({ runId: known.runId, sessionKey });

  const { trace = newTrace() } = state.hookContext;
  const context = {
    ...state.hookContext,
    ...traceFields(stepTrace(trace, toolCallId)),
    childSessionKey: sessionKey,
    requesterSessionKey,
  };
  const event = {
    childSessionKey: sessionKey,
    agentId,
    mode: "run" as const,
    requester: originOf(origin),
    threadRequested: false,
    ...defined({ label }),
  };
  const { hooks } = turn.pin;
  const { signal } = request;
  const verdict = await hooks.decide("subagent_spawning", event, context, { signal });
  if (verdict?.status === "error") throw refusedBy(verdict);

  const spawned = await subagents.spawn({
    parent: { runId, sessionKey: requesterSessionKey },
    origin,
    sessionKey,
    agentId,
    depth,
    parentTools: usableTools(state),
    task,
    model,
    label,
    tools,
    timeoutMs,
    deliveryOrigin: verdict?.deliveryOrigin,
    trace: context.trace,
  });
  const child = { runId: queuedRun(spawned, subagents), sessionKey };
  logRejection(
    hooks.observe(
      "subagent_spawned",
      { ...event, runId: child.runId, resolvedModel: model },
      context,
    ),
    logger,
  );
  return accepted(child);
}

function assertSpawn(task: string, depth: number, { limits }: Subagents): void {
  const bytes = Buffer.byteLength(task);
  if (bytes > MAX_TASK_BYTES) {
    throw new ToolRefusalError(
      "too-large",
      `The task is ${bytes} bytes; at most ${MAX_TASK_BYTES} are allowed. Write it to a file and name the file.`,
    );
  }
  if (depth <= limits.maxDepth) return;
  throw new ToolRefusalError(
    "invalid-value",
    `Subagents nest at most ${limits.maxDepth} deep, and this session is at that depth. Do the task here.`,
  );
}

function agentOf({ agentId }: SpawnParameters, own: string, { agentIds }: Subagents): string {
  if (agentId === undefined || agentId === own) return own;
  if (agentIds.includes(agentId)) return agentId;
  const near = nearestNames(agentId, agentIds);
  throw new ToolRefusalError(
    "not-found",
    `Agent "${agentId}" not found. Known agents: ${(near.length > 0 ? near : agentIds).join(", ")}.`,
  );
}

/** Returns the subagent's model; rejects an unknown model at once, before a subagent fails with it. */
async function modelOf(
  { model }: SpawnParameters,
  agentId: string,
  models: SpawnDependencies["models"],
  subagents: Subagents,
): Promise<string> {
  const wanted = model ?? subagents.modelOf(agentId);
  try {
    return (await models.resolve(wanted)).ref;
  } catch (error) {
    if (!ModelNotFoundError.isInstance(error)) throw error;
    throw new ToolRefusalError("not-found", error.message);
  }
}

/** Returns the tools that the parent can use now, which limit those of the subagent (POL-014). */
function usableTools({
  toolNames,
  skillTools,
}: Pick<TurnState, "toolNames" | "skillTools">): string[] {
  return toolNames.filter((name) => skillTools?.has(name) ?? true);
}

/** Returns a version 8 UUID that is derived from the call, not random. */
function childId(runId: string, toolCallId: string, params: SpawnParameters): string {
  const asked = canonicalJson([runId, toolCallId, params]);
  const hex = sha256(asked);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function originOf({ channel, channelId, accountId, threadId }: TurnOrigin) {
  return {
    channel,
    to: channelId,
    ...defined({ accountId, threadId }),
  } satisfies Origin;
}

function refusedBy({ error }: NonNullable<HookMap["subagent_spawning"]["result"]>) {
  const reason = error ?? "a plugin did not allow it";
  return new ToolRefusalError("refused", `The subagent was denied: ${reason}`);
}

function queuedRun(spawned: SubagentSpawned, { limits }: Subagents): string {
  if (spawned.status === "spawned") return spawned.runId;
  throw new ToolRefusalError(
    "too-many",
    `This session already has ${limits.maxChildren} running subagents, the maximum. Wait for one to end, or stop one with the tool subagents.`,
  );
}

function accepted({ runId, sessionKey }: { runId: string; sessionKey: string }) {
  return jsonResult({ status: "accepted", childSessionKey: sessionKey, runId });
}
