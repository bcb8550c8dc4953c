import type { Interface } from "node:readline/promises";
import type { ConversationObserver } from "@openclaw/client/conversation";
import { visible } from "@openclaw/messaging";
import { CLEAR_LINE, type Terminal } from "../shell/terminal.js";
import { chatScreen } from "./screen.js";

/** Output of a chat in addition to its exchanges. */
export type TerminalAside = Omit<ConversationObserver, "credential">;

/**
 * Creates the output that is not part of the exchanges of a chat: it is printed above the prompt, with the line that the user is
 * editing again below it.
 * @param terminal - interactive terminal
 * @param input - open line input
 * @param isPrompting - returns true while the input line is shown
 */
export function terminalAside(
  terminal: Terminal,
  input: Interface,
  isPrompting: () => boolean,
): TerminalAside {
  let isOpen = true;
  input.once("close", () => {
    isOpen = false;
  });
  const above = (print: () => void) => {
    if (!isOpen || !isPrompting()) return print();
    terminal.write(CLEAR_LINE);
    print();
    input.prompt(true);
  };
  return {
    note: (line) => above(() => terminal.note(terminal.colors.dim(line))),
    posted: (text) => above(() => terminal.print(visible(text))),
    turn(text) {
      const { colors } = terminal;
      let line = "";
      const screen = chatScreen({
        ...terminal,
        // Only whole lines are printed, because the prompt follows them.
        write(part) {
          const lines = (line + part).split("\n");
          line = lines.pop() ?? "";
          if (lines.length > 0) above(() => lines.forEach((each) => void terminal.print(each)));
        },
        note: (note) => above(() => terminal.note(note)),
      });
      const said = text === undefined ? "(another client)" : visible(text);
      above(() => terminal.print(`${colors.cyan("elsewhere ›")} ${said}`));
      return {
        show: screen.show,
        finish(result) {
          screen.finish(result.ok ? result.text : "");
          if (!result.ok) above(() => terminal.note(colors.dim(result.problem)));
        },
      };
    },
  };
}
