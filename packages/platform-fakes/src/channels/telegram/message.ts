import type { TelegramButton } from "./rules.js";

/** A chat of the server. */
export interface TelegramChat {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup" | "channel";
  /** IDs of its topics. */
  readonly topics?: readonly number[];
}

/** A file that the bot sent. */
export interface TelegramSentFile {
  readonly kind: "photo" | "document" | "audio" | "voice";
  readonly name: string;
  readonly bytes: number;
  readonly content: Uint8Array;
}

/** A message that the bot sent. */
export interface TelegramSent {
  readonly chatId: number;
  readonly messageId: number;
  /** Text that people see. */
  text: string;
  /** Text of the request, with its formatting. */
  source: string;
  readonly threadId?: number | undefined;
  readonly replyToId?: number | undefined;
  readonly file?: TelegramSentFile | undefined;
  buttons: readonly (readonly TelegramButton[])[];
  /** Earlier content, oldest first. */
  readonly history: string[];
}

/** A person who writes to the bot. */
export interface TelegramPerson {
  readonly id: number;
  readonly is_bot?: boolean;
  readonly first_name: string;
  readonly username?: string;
}
