import { HangUp } from "../../loopback-server.js";
import { type Fields, fieldsOf } from "../../models/rejection.js";
import type { PlatformAnswer, PlatformFault, PlatformRequest } from "../platform-server.js";
import { RateLimits } from "../rate-limits.js";
import { RecordedList } from "../recorded-list.js";
import type { TeamsBot } from "./identity.js";
import { ConnectorError, readContent, type TeamsContent } from "./rules.js";

/**
 * Messages of a bot in one conversation within a number of milliseconds, "Per bot per thread limit" of
 * https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit, which says that they may change.
 */
const LIMITS = [
  [7, 1000],
  [8, 2000],
  [60, 30_000],
  [1800, 3_600_000],
] as const;

/** Message of the bot. */
export interface TeamsSent extends TeamsContent {
  readonly id: string;
  readonly conversationId: string;
  /** True once the bot changed it. */
  readonly isEdited: boolean;
  /** True once the bot deleted it. */
  readonly isDeleted: boolean;
}

/** REST API with which the bot writes to conversations. */
export class TeamsConnector {
  /** Messages of the bot, oldest first. */
  readonly sent = new RecordedList<TeamsSent>();
  /** Conversations in which the bot showed that it is typing. */
  readonly typing: string[] = [];
  readonly reactions: { readonly messageId: string; readonly type: string }[] = [];
  /** Pasted images by their ID. */
  readonly images = new Map<string, { readonly mimeType: string; readonly content: Uint8Array }>();
  /** Conversations that the bot is part of. */
  readonly conversations = new Set<string>();
  /** Conversations in which a person blocked the bot. */
  readonly blocked = new Set<string>();
  /** Limits of a bot in each conversation, once a test enforces them. */
  readonly rates = new RateLimits();
  /** Failures of the next messages, in order. */
  faults: PlatformFault[] = [];
  readonly #bot: TeamsBot;
  #count = 0;

  /** @param bot - registration of the bot */
  constructor(bot: TeamsBot) {
    this.#bot = bot;
  }

  /** Returns a new ID of a message, which is a time in milliseconds. */
  newId(): string {
    this.#count += 1;
    return String(1_700_000_000_000 + this.#count);
  }

  /**
   * Answers a request of the bot.
   * @param request - request with an accepted token
   */
  answer(request: PlatformRequest): PlatformAnswer {
    try {
      return this.#answer(request);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  #answer({ method, path, body }: PlatformRequest): PlatformAnswer {
    const [, , version, kind, ...rest] = path.split("/").map(decodeURIComponent);
    const [id = "", part = "", item = "", detail = "", name = ""] = rest;
    if (version !== "v3") throw new ConnectorError("NotFound", `unknown path ${path}`, 404);
    const fields = () => objectOf(body.toString("utf8"));
    if (kind === "attachments" && method === "GET") {
      const image = this.images.get(id);
      if (image === undefined) throw new ConnectorError("NotFound", "no attachment", 404);
      return { headers: { "content-type": image.mimeType }, body: image.content };
    }
    if (kind !== "conversations") throw new ConnectorError("NotFound", `unknown path ${path}`, 404);
    if (id === "" && method === "POST") return this.#open(fields());
    if (!/^(?:19:|a:|29:)/.test(id)) {
      throw new ConnectorError("ConversationNotFound", "Conversation not found.", 404);
    }
    if (!this.conversations.has(id)) {
      const problem = "The bot is not part of the conversation roster.";
      throw new ConnectorError("BotNotInConversationRoster", problem, 403);
    }
    if (this.blocked.has(id)) {
      const problem = "User blocked the conversation with the bot.";
      throw new ConnectorError("ConversationBlockedByUser", problem, 403);
    }
    if (part === "members" && method === "GET") {
      if (!item.startsWith("29:")) {
        const problem = "The user is not a member of the conversation.";
        throw new ConnectorError("MemberNotFoundInConversation", problem, 404);
      }
      const known = item.replace(/^29:1-/, "");
      return { body: { id: item, name: known, userPrincipalName: `${known}@example.com` } };
    }
    if (part === "activities" && detail === "reactions") {
      this.reactions.push({ messageId: item, type: name });
      return { body: {} };
    }
    if (part === "activities" && method === "POST") return this.#post(id, fields());
    if (part === "activities" && method === "PUT") return this.#change(item, readContent(fields()));
    if (part === "activities" && method === "DELETE") return this.#delete(item);
    throw new ConnectorError("NotFound", `unknown path ${path}`, 404);
  }

  #open({ members, tenantId, bot }: Fields): PlatformAnswer {
    const [member] = Array.isArray(members) ? members : [];
    const { id } = fieldsOf(member) ?? {};
    if (typeof id !== "string" || !id.startsWith("29:")) {
      throw new ConnectorError("BadArgument", "Failed to decrypt conversation id");
    }
    if (tenantId !== this.#bot.tenantId || fieldsOf(bot)?.id !== this.#bot.appId) {
      throw new ConnectorError("Forbidden", "The bot is not installed for this tenant.", 403);
    }
    const conversationId = `a:1-${id.replace(/^29:1-/, "")}`;
    this.conversations.add(conversationId);
    return { status: 201, body: { id: conversationId } };
  }

  #post(conversationId: string, activity: Fields): PlatformAnswer {
    if (activity.type === "typing") {
      this.typing.push(conversationId);
      return { status: 202, body: {} };
    }
    if (activity.type === undefined) {
      throw new ConnectorError("BadSyntax", "Missing required property 'type'");
    }
    if (activity.type !== "message") throw new ConnectorError("BadSyntax", "unknown activity type");
    const fault = this.faults.shift();
    if (fault?.kind === "hang-up") throw new HangUp();
    if (fault?.kind === "outage") return { status: fault.status ?? 503, body: {} };
    if (fault?.kind === "rate-limit") return rateLimited(fault.retryAfterS);
    const wait = this.rates.take(
      ...LIMITS.map(([count, ms]) => ({ key: conversationId, count, ms })),
    );
    if (wait > 0) return rateLimited(Math.ceil(wait / 1000));
    const id = this.newId();
    this.sent.add({
      ...readContent(activity),
      id,
      conversationId,
      isEdited: false,
      isDeleted: false,
    });
    if (fault?.kind === "lost-answer") throw new HangUp();
    return { status: 201, body: { id } };
  }

  #change(id: string, content: TeamsContent): PlatformAnswer {
    Object.assign(this.#sentMessage(id), { ...content, isEdited: true });
    this.sent.changed();
    return { body: { id } };
  }

  #delete(id: string): PlatformAnswer {
    Object.assign(this.#sentMessage(id), { isDeleted: true });
    this.sent.changed();
    return { body: {} };
  }

  #sentMessage(id: string): TeamsSent {
    const found = this.sent.all.find((message) => message.id === id);
    if (found !== undefined && !found.isDeleted) return found;
    const problem = "The message ID provided could not be found in the conversation.";
    throw new ConnectorError("ActivityNotFoundInConversation", problem, 404);
  }
}

function rateLimited(retryAfterS: number): PlatformAnswer {
  return {
    status: 429,
    headers: { "retry-after": String(retryAfterS) },
    body: { error: { code: "TooManyRequests", message: "Too many requests" } },
  };
}

function objectOf(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text)) ?? {};
  } catch {
    throw new ConnectorError("BadSyntax", "The request body is not valid JSON.");
  }
}
