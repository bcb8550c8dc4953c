import { defined } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { GatewayPort } from "./gateway-port.js";

type History = GatewayMethodResult<"chat.history">;
type Run = History["runs"][number];

/** Message that was sent to a session. */
export interface SentMessage {
  /** Full key of the session. */
  readonly sessionKey: string;
  readonly messageId: string;
}

/** Answer to a message. */
export interface ChatAnswer extends SentMessage {
  readonly status: "replied" | "answered" | "withheld" | "interrupted" | "failed";
  /** Reply, or the problem. */
  readonly text: string;
}

/** State of the turn that answers a message; `unknown` while no turn is stored, and for answers of commands. */
export type TurnState =
  | { readonly state: "unknown" }
  | { readonly state: "open"; readonly runId: string }
  | { readonly state: "ended"; readonly answer: ChatAnswer };

/** Number of messages of a page, and of pages in which a message is searched. */
const PAGE = 200;
const MAXIMUM_PAGES = 5;

/**
 * Reads how far the answer to a message is. The store knows it, so any node of the gateway can answer.
 * @param gateway - gateway of the client
 * @param sent - session and message
 */
export async function readTurn(
  gateway: Pick<GatewayPort, "call">,
  { sessionKey, messageId }: SentMessage,
): Promise<TurnState> {
  let before: number | undefined;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const page = { sessionKey, limit: PAGE, ...defined({ before }) };
    const history = await gateway.call("chat.history", page);
    const run = history.runs.find((each) => each.messageId === messageId);
    if (run !== undefined) return stateOf(run, history, { sessionKey, messageId });
    before = history.messages[0]?.seq;
    if (!history.hasMore || before === undefined) break;
  }
  return { state: "unknown" };
}

function stateOf(run: Run, history: History, sent: SentMessage): TurnState {
  const { runId, state, error } = run;
  switch (state) {
    case "queued":
    case "running":
    case "awaiting_approval":
      return { state: "open", runId };
    case "completed":
      return ended({ ...sent, status: "replied", text: replyOf(runId, history) });
    case "blocked":
      return ended({ ...sent, status: "withheld", text: replyOf(runId, history) });
    case "interrupted":
      return ended({ ...sent, status: "interrupted", text: "the turn was interrupted" });
    case "failed": {
      const { code = "RUN_FAILED", message = "the turn failed" } = error ?? {};
      return ended({ ...sent, status: "failed", text: `${code}: ${message}` });
    }
  }
}

function ended(answer: ChatAnswer): TurnState {
  return { state: "ended", answer };
}

/** Returns the text of the last message of a turn that has text. */
function replyOf(id: string, { messages }: History): string {
  const texts = messages
    .filter(({ role, runId }) => role === "assistant" && runId === id)
    .map(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")).join(""));
  return texts.findLast((text) => text !== "") ?? "";
}
