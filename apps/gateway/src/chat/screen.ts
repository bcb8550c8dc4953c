import type { PolicyRefusal } from "@openclaw/gateway";
import type { Terminal } from "../shell/terminal.js";
import type { ChatEvent } from "./partner.js";

const WIDTH = 200;

/** Shows one reply while it streams: its text on standard output, its tools as notes. */
export interface ChatScreen {
  show(event: ChatEvent): void;
  /** Writes the text that was not streamed, and the line break. */
  finish(text: string): void;
}

/**
 * Creates the screen of one reply.
 * @param terminal - text goes to standard output, tool lines to standard error
 */
export function chatScreen({ colors, write, note }: Terminal): ChatScreen {
  let shown = "";
  let lineIsOpen = false;
  /** Text of two model calls, with tools between them, becomes two paragraphs of the reply. */
  let startsParagraph = false;
  const closeLine = () => {
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
        case "tool-started":
          closeLine();
          startsParagraph = shown !== "";
          note(colors.dim(cut(`→ ${event.toolName} ${JSON.stringify(event.params)}`)));
          break;
        case "tool-finished": {
          const mark = event.outcome === "ok" ? colors.green("✓") : colors.red("✗");
          note(
            `${mark} ${colors.dim(cut(`${event.toolName} (${event.durationMs} ms) ${event.preview}`))}`,
          );
          if (event.policy !== undefined) note(colors.dim(`  ${ruleOf(event.policy)}`));
          break;
        }
        default:
          break;
      }
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

function ruleOf({ file, key }: PolicyRefusal): string {
  const rule = [file, key].filter((part) => part !== undefined).join(" ");
  return `${rule}${rule === "" ? "" : "; "}run openclaw policy explain for details`;
}

function cut(line: string): string {
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}...` : line;
}
