import { randomUUID } from "node:crypto";
import { WITHHELD_OUTPUT } from "@openclaw/safety";
import type { RunningTurn } from "../context/turn.js";
import { type AnswerDependencies, answerRefused } from "../tool-call/answer.js";
import { authorizeToolCall, type NewCallDependencies } from "../tool-call/authorize.js";
import { type ExecutionDependencies, executeTool } from "../tool-call/execution.js";
import { CallPolicy, type CallPolicyDependencies } from "../tool-call/policy.js";
import type { ToolEntry, ToolSet } from "../tool-call/tool-entry.js";
import type { PreparedTurn } from "./prepared-turn.js";

/** Maximum number of resources that one message names. */
const MAXIMUM_MENTIONS = 5;
/** Time in milliseconds in which the resources of a message must be read. */
const DEADLINE_MS = 10_000;
/** Name of the tool that reads the resources of an MCP server or a plugin, behind its prefix. */
const READ_TOOL = "__read_resource";
const NEEDS_APPROVAL = "needs approval, for which only a call of the agent asks";

/** Dependencies of {@link mentionedResources}. */
export type MentionDependencies = NewCallDependencies &
  CallPolicyDependencies &
  AnswerDependencies &
  ExecutionDependencies & {
    /** In a replay, the resources that the recorded turn read. */
    readonly recordedMentions?: { readonly text: string | undefined } | undefined;
  };

/** Tools of the turn, narrowed by hooks, and the context of their policy. */
type Offered = Pick<PreparedTurn, "tools" | "policyContext">;

/** Resource that a message names. */
interface Mention {
  /** As written, `server:uri`. */
  readonly written: string;
  readonly uri: string;
  /** Tool that reads it. */
  readonly entry: ToolEntry;
}

/**
 * Returns the resources that a message names as `@server:uri` or `@plugin:uri`, at most five.
 * @param text - text of the message
 * @param tools - tools of the turn; only with the tool that reads it a resource is named
 */
function mentionsIn(text: string, tools: ToolSet): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, owner = "", given = ""] of text.matchAll(/(?<!\S)@([\w.-]+):(\S+)/g)) {
    const entry = tools.get(`${owner.replaceAll(".", "_")}${READ_TOOL}`);
    if (entry === undefined || (entry.kind !== "mcp" && entry.kind !== "plugin")) continue;
    const uri = given.replace(/[.,;!?)\]]+$/, "");
    const written = `${owner}:${uri}`;
    found.set(written, { written, uri, entry });
  }
  return [...found.values()].slice(0, MAXIMUM_MENTIONS);
}

/**
 * Reads the resources that the message of an owner names, for its prompt (EXT-365). Each is read by the tool of its server or
 * plugin, where policy offers it to the turn, authorized like a call of the model, within its deadline and through the safety
 * engine. One that cannot be read is named with the reason, and so is one that needs approval, because no approver is asked before
 * a turn begins.
 * @param offered - tools of the turn
 */
export async function mentionedResources(
  turn: RunningTurn<MentionDependencies>,
  offered: Offered,
): Promise<{ untrustedContext?: string }> {
  const { request, state, dependencies } = turn;
  const mentioned =
    dependencies.recordedMentions === undefined
      ? await readMentions(turn, offered)
      : dependencies.recordedMentions.text;
  if (mentioned === undefined) return {};
  request.signal.throwIfAborted();
  state.gathered = { ...state.gathered, mentioned };
  return { untrustedContext: mentioned };
}

async function readMentions(
  turn: RunningTurn<MentionDependencies>,
  offered: Offered,
): Promise<string | undefined> {
  const { text, trigger, origin } = turn.request;
  // A message that a job, a schedule or another agent wrote is not one of the owner.
  const isOfOwner = origin.senderIsOwner && (trigger === "user" || trigger === "api");
  if (!isOfOwner || !text.includes("@")) return undefined;
  const mentions = mentionsIn(text, offered.tools);
  if (mentions.length === 0) return undefined;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const contents = mentions.map(async (mention) => {
    const content = await contentOf(mention, turn, offered, deadline);
    return `Resource @${mention.written}\n${content}`;
  });
  return (await Promise.all(contents)).join("\n\n");
}

async function contentOf(
  { uri, entry }: Mention,
  turn: RunningTurn<MentionDependencies>,
  offered: Offered,
  deadline: AbortSignal,
): Promise<string> {
  const { request, dependencies } = turn;
  const signal = AbortSignal.any([request.signal, deadline]);
  const own = {
    ...turn,
    // The events of a turn describe the calls of its model.
    request: { ...request, signal, onEvent: () => undefined },
    dependencies: { ...dependencies, approvals: unasked(dependencies.approvals) },
  };
  const call = { toolCallId: randomUUID(), toolName: entry.name, params: { uri } };
  const scope = { turn: own, ...offered, reconsidered: new Set<string>() };
  const policy = new CallPolicy(call, scope);
  const authorization = await authorizeToolCall(call, scope, policy);
  if (authorization.verdict === "pending") return `it could not be read: it ${NEEDS_APPROVAL}`;
  if (authorization.verdict === "refused") {
    await answerRefused(call, authorization, own, policy.takeDecisions());
    return `it could not be read: ${authorization.text}`;
  }
  const { result, failure, review, input } = await executeTool(
    call,
    authorization.entry,
    authorization,
    own,
  );
  if (failure?.kind === "aborted") return `it could not be read within ${DEADLINE_MS} ms`;
  // Nothing is asked before a turn begins.
  if (input !== undefined) return `it could not be read: ${entry.name} asks for input`;
  if (review !== undefined) return WITHHELD_OUTPUT;
  const text = result.content
    .map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`))
    .join("\n");
  return failure === undefined ? text : `it could not be read: ${text}`;
}

/** Approvals of calls before a turn begins: what needs one is denied. */
function unasked(approvals: MentionDependencies["approvals"]): MentionDependencies["approvals"] {
  return {
    need: (name, declared) => approvals.need(name, declared),
    ask: async (request, alongside) =>
      request.need === "never"
        ? await approvals.ask(request, alongside)
        : { status: "denied", reason: `it ${NEEDS_APPROVAL}`, cancelled: false },
  };
}
