import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui";
import { asScreen } from "../../shell/stray-output.js";

/**
 * Returns the terminal of this process for a screen. What its methods write reaches the terminal, also while other
 * output of the process is diverted: a screen can be drawn within a call of a plugin.
 */
export function screenTerminal(): Terminal {
  return new Proxy(new ProcessTerminal(), {
    get(terminal, name) {
      const value: unknown = Reflect.get(terminal, name, terminal);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown =>
        asScreen(() => Reflect.apply(value, terminal, given));
    },
    set: (terminal, name, value) => Reflect.set(terminal, name, value, terminal),
  });
}
