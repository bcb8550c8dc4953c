import { RecordedList } from "../recorded-list.js";

/** Person or bot of a workspace. */
export interface SlackUser {
  readonly id: string;
  readonly name: string;
  readonly isBot?: boolean;
}

/** File of a workspace. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly content: Uint8Array;
}

/** Message of a workspace. */
export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string | undefined;
  readonly user: string;
  /** Text as Slack shows it. */
  text: string;
  blocks: readonly unknown[];
  readonly files: readonly SlackFile[];
  /** Earlier versions of its text, oldest first. */
  readonly earlier: string[];
  /** Names of the reactions of the bot. */
  readonly reactions: string[];
  isDeleted: boolean;
}

/** Channel or direct conversation. */
export interface SlackConversation {
  readonly id: string;
  readonly members: ReadonlySet<string>;
}

/** Content of a new message. */
export type NewSlackMessage = Pick<SlackMessage, "channel" | "user" | "text"> &
  Partial<Pick<SlackMessage, "threadTs" | "blocks" | "files">>;

/** ID of the bot in every workspace. */
export const BOT_USER = "U0BOT00001";
/** ID of the team. */
export const TEAM = "T0TEAM0001";

/** People, conversations and messages of a fake workspace. */
export class SlackWorkspace {
  readonly users = new Map<string, SlackUser>();
  readonly conversations = new Map<string, SlackConversation>();
  readonly files = new Map<string, SlackFile>();
  readonly messages = new RecordedList<SlackMessage>();
  #count = 0;

  /** @param botName - name of the bot */
  constructor(botName: string) {
    this.users.set(BOT_USER, { id: BOT_USER, name: botName, isBot: true });
  }

  /** Returns a number that was not used before. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /**
   * Returns the direct conversation of a person with the bot.
   * @param userId - the person
   */
  direct(userId: string): SlackConversation {
    const id = `D${userId.slice(1)}`;
    const found = this.conversations.get(id) ?? { id, members: new Set([userId, BOT_USER]) };
    this.conversations.set(id, found);
    return found;
  }

  /**
   * Adds a message.
   * @param message - its content
   */
  post({ channel, user, text, threadTs, blocks = [], files = [] }: NewSlackMessage): SlackMessage {
    const ts = `${1_700_000_000 + this.next()}.000100`;
    const message: SlackMessage = {
      ...{ channel, ts, threadTs, user, text, blocks, files },
      earlier: [],
      reactions: [],
      isDeleted: false,
    };
    this.messages.add(message);
    return message;
  }

  /**
   * Returns a message that was not deleted.
   * @param channel - its conversation
   * @param ts - its timestamp
   */
  find(channel: string, ts: string): SlackMessage | undefined {
    return this.messages.all.find(
      (message) => message.channel === channel && message.ts === ts && !message.isDeleted,
    );
  }
}
