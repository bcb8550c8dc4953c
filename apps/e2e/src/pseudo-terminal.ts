import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { BIN, type CommandPlace } from "./openclaw-process.js";

/** True where util-linux can give a command a terminal. */
export const HAS_PSEUDO_TERMINAL =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** Keys of a terminal. */
export const KEY = { enter: "\r", escape: "\u001b", down: "\u001b[B" } as const;

/** Command that runs at a terminal. */
export interface TerminalProcess extends AsyncDisposable {
  /** Resolves when what was printed since the last call matches; rejects when the command ends before. */
  shows(pattern: RegExp): Promise<void>;
  /** Presses keys. */
  press(keys: string): void;
  /** Resolves with the exit code, and everything that was printed, without control characters. */
  ended(): Promise<{ readonly exitCode: number | null; readonly screen: string }>;
}

/**
 * Runs the built `openclaw` at a terminal of 100 columns.
 * @param args - without the program's name
 * @param place - folders and variables
 */
export function openclawAtTerminal(args: readonly string[], place: CommandPlace): TerminalProcess {
  const words = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols 100 rows 40; exec ${words}`, "/dev/null"], {
    cwd: place.workspace,
    env: {
      ...{ PATH: process.env.PATH, HOME: place.state, OPENCLAW_STATE_DIR: place.state },
      ...{ TERM: "xterm", NO_COLOR: "1", OPENCLAW_KEYCHAIN: "off", ...place.environment },
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let screen = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  return {
    press: (keys) => void child.stdin.write(keys),
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(stripVTControlCharacters(screen.slice(seen)));
          if (found === null) return;
          seen = screen.length;
          child.stdout.off("data", look);
          resolve();
        };
        child.stdout.on("data", look);
        void closed.then(() =>
          reject(new Error(`it ended before it showed ${pattern}:\n${screen}`)),
        );
        look();
      }),
    async ended() {
      const [exitCode] = await closed;
      return { exitCode, screen: stripVTControlCharacters(screen) };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
