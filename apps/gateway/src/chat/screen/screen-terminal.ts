import type { Terminal } from "@earendil-works/pi-tui";
import { asScreen } from "../../shell/stray-output.js";

/** With this the library erases the terminal and its scrollback before it draws everything again. */
const ERASE_EVERYTHING = "\u001b[2J\u001b[H\u001b[3J";

/**
 * Returns a terminal for a screen. What its methods write reaches the terminal, also while other
 * output of the process is diverted: a screen can be drawn within a call of a plugin. The scrollback is never erased,
 * because it also holds what was there before the chat.
 * @param terminal - terminal to draw on
 * @param erase - returns the sequence that erases the screen of the chat only, and moves the cursor to its beginning
 */
export function screenTerminal(terminal: Terminal, erase: () => string): Terminal {
  return new Proxy(terminal, {
    get(_target, name) {
      const value: unknown = Reflect.get(terminal, name, terminal);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        const [data] = given;
        const isRedrawn = typeof data === "string" && data.includes(ERASE_EVERYTHING);
        const sent = isRedrawn ? [data.replace(ERASE_EVERYTHING, erase)] : given;
        return asScreen(() => Reflect.apply(value, terminal, sent));
      };
    },
    set: (_target, name, value) => Reflect.set(terminal, name, value, terminal),
  });
}
