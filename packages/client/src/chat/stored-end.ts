import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import type { ChatEnd } from "./chat-event.js";

type History = GatewayMethodResult<"chat.history">;
type Run = History["runs"][number];

/** Reads the history of a session. */
export type ReadHistory = (parameters: GatewayMethodParameters<"chat.history">) => Promise<History>;

/** Answer to a message as the gateway has stored it. */
export type StoredAnswer =
  | { readonly state: "ended"; readonly runId: string; readonly end: ChatEnd }
  | { readonly state: "open"; readonly runId: string }
  /** No turn of the message is stored yet, or none was needed to answer it. */
  | { readonly state: "unknown" };

const PAGE = 200;
/** Number of pages of the history in which a message is searched. */
const MAXIMUM_PAGES = 5;

/**
 * Reads from the history how a message was answered, for a client that missed the events.
 * @param read - reads a page of the history
 * @param sent - session, message, and its turn if it is known
 */
export async function readStoredAnswer(
  read: ReadHistory,
  sent: {
    readonly sessionKey: string;
    readonly messageId: string;
    readonly runId?: string | undefined;
  },
): Promise<StoredAnswer> {
  const { sessionKey, messageId, runId } = sent;
  let before: number | undefined;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const history = await read({
      sessionKey,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    });
    const run = history.runs.find((each) => each.runId === runId || each.messageId === messageId);
    if (run !== undefined) {
      const end = endOf(run, history);
      return end === undefined
        ? { state: "open", runId: run.runId }
        : { state: "ended", runId: run.runId, end };
    }
    before = history.messages[0]?.seq;
    if (!history.hasMore || before === undefined) break;
  }
  return { state: "unknown" };
}

function endOf({ runId, state, error }: Run, { messages }: History): ChatEnd | undefined {
  switch (state) {
    case "queued":
    case "running":
    case "awaiting_approval":
      return undefined;
    case "completed":
      return { type: "final", runId, status: "replied", text: replyOf(runId, messages) };
    case "blocked":
      return { type: "final", runId, status: "withheld", text: replyOf(runId, messages) };
    case "interrupted":
      return { type: "final", runId, status: "interrupted", text: "" };
    case "failed": {
      const { code = "RUN_FAILED", message = "the turn failed" } = error ?? {};
      return { type: "error", error: { reason: code, message } };
    }
  }
}

/** Returns the text of the last message of a turn that has text. */
function replyOf(runId: string, messages: History["messages"]): string {
  const texts = messages
    .filter((message) => message.role === "assistant" && message.runId === runId)
    .map(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")).join(""));
  return texts.findLast((text) => text !== "") ?? "";
}
