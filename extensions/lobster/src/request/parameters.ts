import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import { LobsterError } from "../errors.js";

const MOST_ARGUMENT_BYTES = 256 * 1024;

/** Parameters of the tool (LOB-002). */
export const PARAMETERS = Type.Object(
  {
    action: Type.Enum(["run", "resume"], {
      description: "run starts a pipeline or workflow file; resume continues a suspended run.",
    }),
    pipeline: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Pipeline for run, for example `exec --json ls | where 'size>10' | approve`.",
      }),
    ),
    filePath: Type.Optional(
      Type.String({ minLength: 1, description: "Workflow file for run, relative to cwd." }),
    ),
    args: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "Arguments of the workflow." }),
    ),
    argsJson: Type.Optional(
      Type.String({ description: "Older form of args: a JSON object as text." }),
    ),
    cwd: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Folder inside the workspace. Default: workspace.",
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 1, description: "Time limit in milliseconds. Default 20000." }),
    ),
    maxStdoutBytes: Type.Optional(
      Type.Integer({ minimum: 1, description: "Largest output in bytes. Default 512000." }),
    ),
    token: Type.Optional(Type.String({ minLength: 1, description: "resumeToken, for resume." })),
    approvalId: Type.Optional(
      Type.String({ minLength: 1, description: "Short form of the token, for resume." }),
    ),
    approve: Type.Optional(
      Type.Boolean({
        description: "For resume: true continues once a person has approved, false cancels.",
      }),
    ),
    response: Type.Optional(
      Type.Unknown({ description: "For resume: JSON answer to requiresInput." }),
    ),
    cancel: Type.Optional(Type.Boolean({ description: "For resume: true cancels the run." })),
  },
  { additionalProperties: false },
);

/** Arguments of the tool as the host validated them. */
export type Parameters = Static<typeof PARAMETERS>;

/** Source of a run: a pipeline, or a workflow file. */
export type RunSource =
  | { readonly kind: "pipeline"; readonly pipeline: string }
  | { readonly kind: "workflow"; readonly filePath: string };

/** Decision with which a run is resumed. */
export type Decision =
  | { readonly kind: "approve" }
  | { readonly kind: "cancel" }
  | { readonly kind: "response"; readonly response: JsonValue };

/** Request of the tool: fields that belong together. */
export type Request =
  | {
      readonly action: "run";
      readonly source: RunSource;
      readonly args: JsonObject;
      readonly cwd: string;
      readonly timeoutMs?: number | undefined;
      readonly maxStdoutBytes?: number | undefined;
    }
  | {
      readonly action: "resume";
      readonly by: { readonly token: string } | { readonly approvalId: string };
      readonly decision: Decision;
      readonly timeoutMs?: number | undefined;
      readonly maxStdoutBytes?: number | undefined;
    };

/**
 * Checks which fields are given together (LOB-002, LOB-003).
 * @param given - arguments of the tool
 * @param limits - longest pipeline in characters
 * @throws LobsterError of type `parse_error` that names the field
 */
export function readRequest(
  given: Parameters,
  { maxPipelineChars }: { readonly maxPipelineChars: number },
): Request {
  const { timeoutMs, maxStdoutBytes } = given;
  if (given.action === "run") {
    forbid(given, ["token", "approvalId", "approve", "response", "cancel"], "run");
    const source = sourceOf(given);
    if (source.kind === "pipeline" && source.pipeline.length > maxPipelineChars) {
      throw invalid(
        "pipeline",
        `it has ${source.pipeline.length} characters; at most ${maxPipelineChars} are allowed. Write it as a workflow file`,
      );
    }
    const { cwd = "." } = given;
    return { action: "run", source, args: argsOf(given), cwd, timeoutMs, maxStdoutBytes };
  }
  forbid(given, ["pipeline", "filePath", "args", "argsJson", "cwd"], "resume");
  const { token, approvalId } = given;
  if ((token === undefined) === (approvalId === undefined)) {
    throw invalid(
      token === undefined ? "token" : "approvalId",
      "resume needs exactly one of token and approvalId",
    );
  }
  const by = token === undefined ? { approvalId: String(approvalId) } : { token };
  return { action: "resume", by, decision: decisionOf(given), timeoutMs, maxStdoutBytes };
}

function sourceOf({ pipeline, filePath }: Parameters): RunSource {
  if (pipeline !== undefined && filePath === undefined) return { kind: "pipeline", pipeline };
  if (filePath !== undefined && pipeline === undefined) return { kind: "workflow", filePath };
  throw invalid(
    pipeline === undefined ? "pipeline" : "filePath",
    "run needs exactly one of pipeline and filePath",
  );
}

function argsOf({ args, argsJson }: Parameters): JsonObject {
  if (args !== undefined && argsJson !== undefined) {
    throw invalid("argsJson", "give args or argsJson, not both");
  }
  const text = argsJson ?? JSON.stringify(args ?? {});
  if (Buffer.byteLength(text) > MOST_ARGUMENT_BYTES) {
    throw invalid(argsJson === undefined ? "args" : "argsJson", "it is larger than 256 KiB");
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid("argsJson", "expected a JSON object, got text that is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw invalid("argsJson", "expected a JSON object");
  }
  return parsed as JsonObject;
}

function decisionOf({ approve, response, cancel }: Parameters): Decision {
  const given = [approve, response, cancel].filter((value) => value !== undefined);
  if (given.length !== 1) {
    throw invalid("approve", "resume needs exactly one of approve, response and cancel");
  }
  if (response !== undefined) return { kind: "response", response: response as JsonValue };
  if (cancel === false) throw invalid("cancel", "expected true; leave it out to continue the run");
  return approve === true ? { kind: "approve" } : { kind: "cancel" };
}

function forbid(given: Parameters, fields: readonly (keyof Parameters)[], action: string): void {
  const field = fields.find((name) => given[name] !== undefined);
  if (field !== undefined) throw invalid(field, `it does not apply to action ${action}`);
}

function invalid(field: string, problem: string): LobsterError {
  return new LobsterError("parse_error", `${field}: ${problem}`);
}
