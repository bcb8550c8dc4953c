import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { LobsterConfig } from "../config.js";
import { loadParser } from "../engine/core.js";
import { LobsterError } from "../errors.js";
import { resolveFolder } from "../request/paths.js";
import { findBundle } from "../workflow/bundle.js";
import { type Edge, edgesOf } from "../workflow/graph.js";
import {
  gatesOf,
  type Plan,
  type PlannedGate,
  type PlannedStep,
  planPipeline,
  planWorkflow,
} from "../workflow/plan.js";

/** Method of the gateway with which clients look ahead: the command line at gates, and the console at the graph. */
export const GATES_METHOD = "lobster.gates";

/** Gates of a run that has not begun, and the outcome of their requests. */
export interface GatesAhead {
  readonly gates: readonly PlannedGate[];
  /** `denied` when no approver can be reached and no request waits for one. */
  readonly approval: "attended" | "waits" | "denied";
  /** Steps in their order; none while the workspace is not known. */
  readonly steps: readonly PlannedStep[];
  /** Connections of the steps. */
  readonly edges: readonly Edge[];
}

/**
 * Registers the method that says, before a run begins, at which gates it would stop and whether a person can decide them
 * (LOB-840).
 * @param config - configuration of the plugin
 */
export function registerGatesMethod(
  api: Pick<OpenClawPluginApi, "registerGatewayMethod" | "approvals" | "runtime">,
  config: LobsterConfig,
): void {
  api.registerGatewayMethod(
    GATES_METHOD,
    async ({ params, respond }) => {
      try {
        return await gatesAhead(api, config, params);
      } catch (error) {
        if (!(error instanceof LobsterError)) throw error;
        respond(false, undefined, { code: "INVALID_REQUEST", message: error.message });
        return undefined;
      }
    },
    { scope: "operator.read" },
  );
}

async function gatesAhead(
  { approvals, runtime }: Pick<OpenClawPluginApi, "approvals" | "runtime">,
  config: LobsterConfig,
  params: Readonly<Record<string, unknown>>,
): Promise<GatesAhead> {
  const { sessionKey, status } = await approvals.reach(textOf(params, "sessionKey") ?? "main");
  const parse = await loadParser();
  const pipeline = textOf(params, "pipeline");
  const filePath = textOf(params, "filePath");
  if (pipeline !== undefined) {
    return ahead(planPipeline(parsed(() => parse(pipeline))), undefined, status);
  }
  if (filePath === undefined) {
    throw new LobsterError("parse_error", "give one of pipeline and filePath");
  }
  const [, agentId] = /^agent:([^:]+):/.exec(sessionKey) ?? [];
  const workspaceDir = runtime.agent?.resolveAgentWorkspaceDir?.(undefined, agentId);
  // Without a workspace the run says what is wrong.
  if (workspaceDir === undefined) return { gates: [], approval: status, steps: [], edges: [] };
  const cwd = await resolveFolder(workspaceDir, textOf(params, "cwd") ?? ".");
  const { workflow } = await findBundle(config, workspaceDir, cwd, filePath);
  const plan = planWorkflow(workflow, (text) => parsed(() => parse(text)));
  return ahead(plan, workflow, status);
}

function ahead(
  plan: Plan,
  workflow: JsonObject | undefined,
  approval: GatesAhead["approval"],
): GatesAhead {
  return { gates: gatesOf(plan), approval, steps: plan.steps, edges: edgesOf(plan, workflow) };
}

function parsed<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new LobsterError("parse_error", `pipeline: ${String(error)}`);
  }
}

function textOf(params: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = params[field];
  if (value === undefined || typeof value === "string") return value;
  throw new LobsterError("parse_error", `${field}: expected a string`);
}
