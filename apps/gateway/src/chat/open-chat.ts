import type { ConversationPartner } from "@openclaw/client/conversation";
import { currentPlugin, stateFolderAt } from "@openclaw/gateway";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { editText } from "../shell/editor.js";
import { chatUntilQuit } from "./chat.js";
import { InputHistory } from "./input/history.js";
import { InteractiveChat } from "./interactive-chat.js";

/** Options of {@link openChat}. */
export interface OpenChatOptions {
  readonly partner: ConversationPartner;
  readonly signal: AbortSignal;
  /** Folder in which paths are completed. */
  readonly workspaceDir: string;
  /** Effect of leaving on the gateway. */
  readonly afterLeaving: string;
  /**
   * Logs a line that a plugin of this process printed; absent when the plugins run in another process.
   * @param line - text without the line break
   */
  readonly logPrinted?: ((pluginId: string, line: string) => void) | undefined;
}

/**
 * Chats at an interactive terminal until the user leaves: on a screen with an editor, or in plain lines when the
 * terminal has no cursor or `NO_COLOR` is set.
 * @param options - partner, and what the screen shows
 * @param context - terminal and environment
 */
export async function openChat(options: OpenChatOptions, context: CommandContext): Promise<void> {
  const { terminal, environment } = context;
  const { partner, signal, workspaceDir, afterLeaving, logPrinted } = options;
  if (!terminal.hasScreen) return chatUntilQuit(partner, terminal, { ...options, environment });
  // The library of the screen is loaded only for this kind of chat.
  const { createTerminalView } = await import("./screen/terminal-view.js");
  const view = createTerminalView({ editText: (text) => editText(text, environment) });
  const history = new InputHistory(stateFolderAt(stateDirOf(environment)).chatHistoryFile);
  const greeting = [
    `Workspace ${workspaceDir}. Enter sends, Shift-Enter or Ctrl-J starts a line, Ctrl-O expands tool calls.`,
  ];
  const chat = new InteractiveChat({
    ...{ partner, view, history, workspaceDir, environment, greeting, afterLeaving },
  });
  const restore = terminal.divert((line, pluginId) => {
    // Many plugins begin their lines with their name.
    const isNamed = pluginId === undefined || line.startsWith(`${pluginId}:`);
    view.note(isNamed ? line : `${pluginId}: ${line}`, "info");
    if (pluginId !== undefined) logPrinted?.(pluginId, line);
  }, currentPlugin);
  try {
    await chat.run(signal);
  } finally {
    restore();
  }
}
