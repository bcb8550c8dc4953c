// Runs commands of the built command line one after another, as its parent sends them, and sends back their output.
import { once } from "node:events";
import { enableCompileCache } from "node:module";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { createColors } from "picocolors";

const COMMAND_LINE = new URL("../../../gateway/dist/command-line.js", import.meta.url).href;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

enableCompileCache();
const { runCommandLine } = await import(COMMAND_LINE);
process.on("message", (command) => {
  void run(command).then(
    (result) => process.send(result),
    (error) => process.send({ failure: String(error?.stack ?? error) }),
  );
});
process.send("ready");
await once(process, "disconnect");
// A timer or server that a plugin left would keep the process running.
process.exit();

/** Runs a command in its folder, with its environment and with a terminal that keeps the output. */
async function run({ args, folder, environment }) {
  let stdout = "";
  let stderr = "";
  const write = (text) => {
    stdout += text;
  };
  // Some commands, such as those of plugins, print without the terminal of the command line.
  keepWrites(process.stdout, write);
  keepWrites(process.stderr, (text) => {
    stderr += text;
  });
  const terminal = {
    isInteractive: false,
    hasScreen: false,
    colors: createColors(false),
    size: () => ({ columns: Number(environment.COLUMNS) || undefined }),
    print: (line) => write(`${line}\n`),
    write,
    note: (line) => {
      stderr += `${line}\n`;
    },
    openInput: () => createInterface({ input: new PassThrough().end() }),
    divert: () => () => {},
  };
  const known = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  try {
    const exitCode = await runCommandLine(args, process.env, terminal);
    return { exitCode, stdout, stderr };
  } finally {
    // The folder may be removed before the next command.
    process.chdir(import.meta.dirname);
    for (const [name, listeners] of known) {
      for (const listener of process.listeners(name)) {
        if (!listeners.includes(listener)) process.off(name, listener);
      }
    }
  }
}

function keepWrites(stream, keep) {
  stream.write = (chunk, encoding, callback) => {
    keep(Buffer.from(chunk).toString());
    const done = typeof encoding === "function" ? encoding : callback;
    done?.();
    return true;
  };
}
