import { startOfText } from "@openclaw/foundation";
import type { ClientToolResult, ContinuedTurn, TurnSender } from "@openclaw/messaging";
import type {
  AgentMessage,
  FilePart,
  ImagePart,
  JsonObject,
  JsonValue,
  TextPart,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { ConversationEntry } from "./conversation.js";
import { invalid, isFailure, type OpenAiFailure } from "./error.js";
import type { OpenAiHost } from "./host.js";
import { callIdOf, readCallId } from "./identifier.js";

/** Maximum number of earlier turns that are looked up for one request; older ones stay as the client sent them. */
const MOST_TURNS = 200;

/** Input of a turn: the conversation before it, and a message of the user or results of the client's tools. */
export interface TurnInput {
  /** Undefined when the request contains no earlier messages. */
  readonly history: readonly AgentMessage[] | undefined;
  readonly text: string;
  readonly media: readonly (ImagePart | FilePart)[];
  /** Undefined when the turn begins with a message of the user. */
  readonly results: readonly ClientToolResult[] | undefined;
  /** True when a message of the user follows the results; otherwise the text describes them. */
  readonly speaksAfterResults: boolean;
  /** Turn whose calls the results answer; undefined for calls that this gateway did not return. */
  readonly continued: ContinuedTurn | undefined;
}

/** Source of earlier turns. */
export interface TurnSource {
  readonly clientTurns: OpenAiHost["clientTurns"];
  /** Sender of the request, who may continue only own turns. */
  readonly sender: TurnSender;
  /** Name of the parameter with the conversation. */
  readonly param: string;
}

/**
 * Divides a conversation into the input of a turn and the history before it. The replies of earlier turns of
 * this gateway are replaced by the messages of these turns, which also contain the calls of the host's own
 * tools and their results, so that the model continues with all that it knew (GW-036).
 * @param entries - conversation of the request
 * @param source - earlier turns
 */
export async function readTurnInput(
  entries: readonly ConversationEntry[],
  source: TurnSource,
): Promise<TurnInput | OpenAiFailure> {
  const last = entries.at(-1);
  const said = last?.role === "user" ? last.content : undefined;
  const before = said === undefined ? entries : entries.slice(0, -1);
  const firstResult = trailingResults(before);
  const hasResults = firstResult < before.length;
  if (said === undefined && !hasResults) {
    return invalid(
      "invalid_messages",
      "the last message must be one of the user, or the result of a tool call",
      source.param,
    );
  }
  const turns = await loadTurns(entries, source);
  const results = hasResults ? readResults(before, firstResult, turns, source.param) : undefined;
  const parts = said ?? [];
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const media = parts.filter((part) => part.type !== "text");
  if (results === undefined || isFailure(results)) {
    if (results !== undefined && said === undefined) return results;
    // A message of the user may follow any conversation, also one that was cut within the calls of a reply.
    const history = expanded(before, turns);
    return {
      history: history.length === 0 ? undefined : history,
      ...{ text, media, results: undefined, speaksAfterResults: false, continued: undefined },
    };
  }
  const { given, continued } = results;
  return {
    history: expanded(before.slice(0, firstResult), turns),
    text: said === undefined ? given.map(describeResult).join("\n") : text,
    ...{ media, results: given, speaksAfterResults: said !== undefined, continued },
  };
}

/** Returns the index of the first of the results at the end; the number of entries when there are none. */
function trailingResults(entries: readonly ConversationEntry[]): number {
  return entries.findLastIndex(({ role }) => role !== "toolResult") + 1;
}

type Turns = ReadonlyMap<string, ContinuedTurn>;

async function loadTurns(
  entries: readonly ConversationEntry[],
  { clientTurns, sender }: TurnSource,
): Promise<Turns> {
  const ids = new Set(entries.flatMap((entry) => turnOf(entry) ?? []));
  const turns = new Map<string, ContinuedTurn>();
  for (const id of [...ids].slice(-MOST_TURNS)) {
    const turn = await clientTurns.find(id, sender);
    if (turn !== undefined) turns.set(id, turn);
  }
  return turns;
}

/** Returns the turn whose reply an entry is; undefined when the entry does not name one turn. */
function turnOf(entry: ConversationEntry): string | undefined {
  if (entry.role === "turn") return entry.id;
  if (entry.role !== "assistant") return undefined;
  const calls = entry.content.filter((part) => part.type === "toolCall");
  const runs = new Set(calls.map(({ toolCallId }) => readCallId(toolCallId)?.runId));
  const [run] = runs;
  return runs.size === 1 ? run : undefined;
}

/** Replaces replies by the messages of their turns, and the client's IDs of calls by those of the model. */
function expanded(entries: readonly ConversationEntry[], turns: Turns): AgentMessage[] {
  const names = new Map<string, string>();
  const placed = new Set<string>();
  return entries.flatMap((entry): readonly AgentMessage[] => {
    const id = turnOf(entry) ?? "";
    const turn = turns.get(id);
    if (turn !== undefined) {
      // A client may send the parts of a reply one by one.
      if (placed.has(id)) return [];
      placed.add(id);
      return turn.messages;
    }
    if (entry.role === "turn") return entry.asSent === undefined ? [] : [entry.asSent];
    if (entry.role === "assistant") {
      for (const part of entry.content) {
        if (part.type === "toolCall") names.set(part.toolCallId, part.toolName);
      }
      return [entry];
    }
    return [entry.role === "toolResult" ? namedResult(entry, turns, names) : entry];
  });
}

function namedResult(
  result: ToolResultMessage,
  turns: Turns,
  names: ReadonlyMap<string, string>,
): ToolResultMessage {
  const place = readCallId(result.toolCallId);
  const call = place && turns.get(place.runId)?.calls[place.index];
  if (call === undefined) {
    return { ...result, toolName: names.get(result.toolCallId) ?? result.toolName };
  }
  return { ...result, toolCallId: call.toolCallId, toolName: call.toolName };
}

interface ReadResults {
  readonly given: readonly ClientToolResult[];
  readonly continued: ContinuedTurn | undefined;
}

/** Reads the results at the end, which must answer every call of the reply before them, each once. */
function readResults(
  entries: readonly ConversationEntry[],
  firstResult: number,
  turns: Turns,
  param: string,
): ReadResults | OpenAiFailure {
  const reply = entries[firstResult - 1];
  const continued = reply && turns.get(turnOf(reply) ?? "");
  const calls = callsOf(reply, continued);
  if (calls.size === 0) {
    const message = "the result of a tool call must follow the reply with that call";
    return invalid("unexpected_tool_result", message, param);
  }
  const given: ClientToolResult[] = [];
  for (const entry of entries.slice(firstResult)) {
    if (entry.role !== "toolResult") continue;
    const call = calls.get(entry.toolCallId);
    if (call === undefined) {
      const message = `the call ${JSON.stringify(entry.toolCallId)} is not among the calls of the reply before, or has two results`;
      return invalid("unexpected_tool_result", message, param);
    }
    calls.delete(entry.toolCallId);
    given.push({ ...call, content: entry.content, isError: entry.isError });
  }
  const [missing] = calls.keys();
  if (missing === undefined) return { given, continued };
  const message = `send a result for each call of the reply; the call ${JSON.stringify(missing)} has none`;
  return invalid("missing_tool_result", message, param);
}

type OpenCall = Omit<ClientToolResult, "content" | "isError">;

/** Returns the calls of a reply that need results, by the client's IDs. */
function callsOf(
  reply: ConversationEntry | undefined,
  continued: ContinuedTurn | undefined,
): Map<string, OpenCall> {
  const calls = new Map<string, OpenCall>();
  if (reply?.role === "turn") {
    for (const [index, call] of (continued?.calls ?? []).entries()) {
      calls.set(callIdOf(reply.id, index), call);
    }
  }
  if (reply?.role !== "assistant") return calls;
  for (const part of reply.content) {
    if (part.type !== "toolCall") continue;
    const { toolCallId, toolName, params } = part;
    const place = readCallId(toolCallId);
    const known = place && continued?.calls[place.index];
    calls.set(toolCallId, known ?? { toolCallId, toolName, params: asObject(params) });
  }
  return calls;
}

function asObject(params: JsonValue): JsonObject {
  const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
  return isObject ? params : { unparsed: params };
}

const LONGEST_DESCRIPTION = 200;

/** Returns a line that represents a result in the inbox, where messages have text. */
function describeResult({ toolName, content }: ClientToolResult): string {
  const text = content.map(partText).join(" ").replace(/\s+/g, " ").trim();
  const shown =
    text.length > LONGEST_DESCRIPTION ? `${startOfText(text, LONGEST_DESCRIPTION)}…` : text;
  return `[Result of ${toolName}] ${shown}`;
}

function partText(part: TextPart | ImagePart): string {
  return part.type === "text" ? part.text : "[image]";
}
