import { RecordedList } from "../recorded-list.js";

/** Person or bot. */
export interface DiscordUser {
  readonly id: string;
  readonly username: string;
  readonly bot: boolean;
}

/** Channel, thread or direct conversation. */
export interface DiscordChannel {
  readonly id: string;
  /** 0 text channel, 1 direct message, 11 public thread. */
  readonly type: 0 | 1 | 11;
  readonly parentId?: string | undefined;
  readonly recipient?: string | undefined;
}

/** File of a message. */
export interface DiscordFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** Button below a message. */
export interface DiscordButton {
  readonly label: string;
  readonly customId: string;
}

/** Message of a channel. */
export interface DiscordMessage {
  readonly id: string;
  readonly channelId: string;
  readonly author: DiscordUser;
  content: string;
  /** Descriptions of its embeds. */
  embeds: readonly string[];
  buttons: readonly DiscordButton[];
  readonly files: readonly DiscordFile[];
  /** Earlier contents, oldest first. */
  readonly earlier: string[];
  /** Reactions of the bot. */
  readonly reactions: string[];
  isDeleted: boolean;
}

/** Content of a new message. */
export type NewDiscordMessage = Pick<DiscordMessage, "channelId" | "author" | "content"> &
  Partial<Pick<DiscordMessage, "embeds" | "buttons" | "files">>;

/** ID of the guild of the server. */
export const GUILD = "1100000000000000001";
const FIRST_ID = 1_200_000_000_000_000_000n;

/** People, channels and messages of a fake guild. */
export class DiscordGuild {
  readonly users = new Map<string, DiscordUser>();
  readonly channels = new Map<string, DiscordChannel>();
  readonly messages = new RecordedList<DiscordMessage>();
  #count = 0n;

  /** Returns an ID that was not used before. */
  nextId(): string {
    this.#count += 1n;
    return String(FIRST_ID + this.#count);
  }

  /**
   * Adds a channel.
   * @param channel - type, and parent of a thread or person of a direct conversation
   */
  addChannel(channel: Partial<DiscordChannel> & Pick<DiscordChannel, "type">): DiscordChannel {
    const added = { id: this.nextId(), ...channel };
    this.channels.set(added.id, added);
    return added;
  }

  /**
   * Returns the direct conversation of a person with the bot.
   * @param userId - the person
   */
  direct(userId: string): DiscordChannel {
    const found = [...this.channels.values()].find(({ recipient }) => recipient === userId);
    return found ?? this.addChannel({ type: 1, recipient: userId });
  }

  /**
   * Adds a message.
   * @param message - its content
   */
  post({ embeds = [], buttons = [], files = [], ...message }: NewDiscordMessage): DiscordMessage {
    const posted: DiscordMessage = {
      id: this.nextId(),
      ...message,
      ...{ embeds, buttons, files },
      earlier: [],
      reactions: [],
      isDeleted: false,
    };
    this.messages.add(posted);
    return posted;
  }

  /** Returns a message that was not deleted. */
  find(channelId: string, id: string): DiscordMessage | undefined {
    return this.messages.all.find(
      (message) => message.id === id && message.channelId === channelId && !message.isDeleted,
    );
  }

  /** Returns a channel as the API describes it. */
  shownChannel({ id, type, parentId }: DiscordChannel): object {
    return { id, type, guild_id: type === 1 ? undefined : GUILD, parent_id: parentId ?? null };
  }

  /** Returns a message as the API describes it. */
  shownMessage({ id, channelId, author, content, files }: DiscordMessage): object {
    const attachments = files.map(({ name, type, content: bytes }, index) => ({
      id: `${id}${index}`,
      filename: name,
      content_type: type,
      size: bytes.byteLength,
      url: `https://cdn.discordapp.com/attachments/${channelId}/${id}/${index}`,
    }));
    const mentions = [...content.matchAll(/<@!?(\d+)>/g)].flatMap(
      ([, userId = ""]) => this.users.get(userId) ?? [],
    );
    return {
      id,
      channel_id: channelId,
      author: { ...author, global_name: null, discriminator: "0", avatar: null },
      content,
      timestamp: new Date(1_700_000_000_000).toISOString(),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions,
      mention_roles: [],
      attachments,
      embeds: [],
      pinned: false,
      type: 0,
    };
  }
}
