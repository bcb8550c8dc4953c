import type {
  ApprovalView,
  ConversationView,
  DecisionOfUser,
  PendingMessage,
} from "@openclaw/client/conversation";
import type { ApprovalSummary } from "@openclaw/protocol";

/** Suggestion for the word at the cursor. */
export interface Suggestion {
  /** Text that replaces the word. */
  readonly value: string;
  readonly description?: string | undefined;
}

/** Attachments of the draft of a message. */
export interface AttachedToDraft {
  /** Images with their sizes, in one line; undefined without any. */
  readonly images: string | undefined;
  /** Why a file is not attached, and whether the model sees images. */
  readonly warnings: readonly string[];
}

/** Input of the user, and what the view asks the chat for. */
export interface ChatViewHandlers {
  /**
   * Receives text that the user submitted.
   * @param text - as it was typed or pasted, with all its lines
   */
  submit(text: string): void;
  /** Called when the user presses Ctrl-C or, in an empty input, Ctrl-D. */
  interrupt(key: "ctrl-c" | "ctrl-d"): void;
  /** Called for any other key. */
  otherKey(): void;
  /**
   * Returns suggestions for a word.
   * @param word - for example `/mo`, `@src/in` or `re`
   * @param isForced - true when the user pressed Tab
   * @param line - text before the cursor
   */
  suggest(word: string, isForced: boolean, line: string): Promise<readonly Suggestion[]>;
  /** Returns the inputs of this chat and of earlier ones, oldest first. */
  inputs(): readonly string[];
  /**
   * Returns pasted text as the editor shows it: the paths of images become marks of attached images.
   * @param text - pasted or dropped text
   */
  paste(text: string): string;
  /**
   * Returns what a draft attaches; called whenever the editor is drawn.
   * @param draft - text of the editor
   */
  attached(draft: string): AttachedToDraft;
}

/** Command of the user on the screen; it is updated in place. */
export interface CommandView {
  /**
   * Shows output of the running command below the earlier one.
   * @param text - next part of the output
   */
  output(text: string): void;
  /**
   * Shows the end of the command.
   * @param end - one line; `isOk` is false for a command that failed
   */
  finish(end: { readonly isOk: boolean; readonly text: string }): void;
}

/** Facts of the status line. */
export interface ChatStatus {
  /** State of the chat, for example `ready` or `working`. */
  readonly state: string;
  /** Start of the running turn in milliseconds since the epoch; the view shows the elapsed time. */
  readonly since?: number | undefined;
  /** Keys that can be pressed now. */
  readonly hint: string;
  /** Model, tokens, cost, workspace and so on. */
  readonly facts: readonly string[];
  /** One line for each job of the conversation that is not finished. */
  readonly jobs?: readonly string[] | undefined;
  /** Share of the context window in use; undefined while it is not known. */
  readonly context?: { readonly percent: number; readonly isNearlyFull: boolean } | undefined;
}

/** Pending approval request as a chat shows it. */
export interface ShownRequest {
  readonly approval: ApprovalSummary;
  /** Session of the chat; a request of another session is shown with the name of that session. */
  readonly sessionKey: string;
  /** Folder of the chat, in which commands of its session run unless the call names another one. */
  readonly workspaceDir: string;
}

/** Screen of an interactive chat: everything that it needs from a terminal. */
export interface ChatView extends Omit<ConversationView, "approval"> {
  /**
   * Takes over the terminal.
   * @param handlers - receive the input
   */
  start(handlers: ChatViewHandlers): void;
  /**
   * Gives the terminal back; the conversation stays on it.
   * @param farewell - last line
   */
  stop(farewell: string): void;
  /** Text in the editor. */
  readonly draft: string;
  /** Empties the editor. */
  clearDraft(): void;
  /**
   * Adds a command of the user to the conversation.
   * @param command - as the user typed it
   * @param place - where it runs, when that is not obvious
   */
  command(command: string, place: string | undefined): CommandView;
  /**
   * Shows the messages that wait for their turn.
   * @param messages - oldest first
   */
  pending(messages: readonly PendingMessage[]): void;
  /** Shows the status line. */
  status(status: ChatStatus): void;
  /**
   * Shows an approval request, and lets the user decide it.
   * @param shown - pending request, and the conversation in which the chat shows it
   * @param decide - receives the decision
   */
  approval(shown: ShownRequest, decide: (decision: DecisionOfUser) => void): ApprovalView;
}
