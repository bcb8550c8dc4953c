import { type ConversationEvent, denialText } from "@openclaw/client/conversation";
import { startOfText } from "@openclaw/foundation";
import type { Terminal } from "../shell/terminal.js";
import { WordWrap, wrapAtWords } from "../shell/word-wrap.js";
import { modelNote } from "./model-note.js";

const WIDTH = 200;

/** Shows one reply while it streams: its text on standard output, its tools as notes. */
export interface ChatScreen {
  show(event: ConversationEvent): void;
  /** Prints a line that is not part of the reply. */
  note(line: string): void;
  /** Writes the text that was not streamed, and the line break. */
  finish(text: string): void;
}

/**
 * Creates the screen of one reply.
 * @param terminal - text goes to standard output, tool lines to standard error
 */
export function chatScreen(terminal: Terminal): ChatScreen {
  const { colors } = terminal;
  const columns = () => (terminal.isInteractive ? terminal.size?.().columns : undefined);
  const reply = new WordWrap(terminal.write, columns);
  const write = (text: string) => reply.write(text);
  const note = (line: string) => terminal.note(wrapAtWords(line, columns()));
  let shown = "";
  let lineIsOpen = false;
  /** Text of two model calls, with tools between them, becomes two paragraphs of the reply. */
  let startsParagraph = false;
  /** Origin of the policy decisions that denied calls, by call. */
  const deniedBy = new Map<string, string>();
  const closeLine = () => {
    reply.flush();
    if (lineIsOpen) write("\n");
    lineIsOpen = false;
  };
  return {
    show(event) {
      switch (event.type) {
        case "text":
          if (startsParagraph) shown += "\n\n";
          startsParagraph = false;
          write(event.delta);
          shown += event.delta;
          lineIsOpen = !event.delta.endsWith("\n");
          break;
        case "text-lost":
          // The result contains the whole text, which then starts on a separate line.
          closeLine();
          break;
        case "tool-blocked":
          if (event.decider.startsWith("policy")) deniedBy.set(event.toolCallId, event.decider);
          break;
        case "tool-started":
          closeLine();
          startsParagraph = shown !== "";
          note(colors.dim(cut(`→ ${event.toolName} ${JSON.stringify(event.params)}`)));
          break;
        case "tool-finished": {
          closeLine();
          const mark = event.outcome === "ok" ? colors.green("✓") : colors.red("✗");
          note(
            `${mark} ${colors.dim(cut(`${event.toolName} (${event.durationMs} ms) ${event.preview}`))}`,
          );
          const decider = deniedBy.get(event.toolCallId);
          const denial = denialText(event.policy, decider);
          if (denial !== undefined) note(colors.dim(`  ${denial}`));
          break;
        }
        case "model-waiting":
        case "model-retry":
        case "model-failover":
          closeLine();
          note(colors.dim(modelNote(event) ?? ""));
          break;
        default:
          break;
      }
    },
    note(line) {
      closeLine();
      note(line);
    },
    finish(text) {
      if (!shown.endsWith(text)) {
        closeLine();
        write(text);
        lineIsOpen = !text.endsWith("\n");
      }
      closeLine();
    },
  };
}

function cut(line: string): string {
  return line.length > WIDTH ? `${startOfText(line, WIDTH)}...` : line;
}
