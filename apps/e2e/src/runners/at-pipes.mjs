// Runs commands of the built command line one after another, as its parent sends them, each with the standard streams of
// this process. It prints a mark to both of them when a command has ended, and then sends its exit code.
import { once } from "node:events";
import { enableCompileCache } from "node:module";

const COMMAND_LINE = new URL("../../../gateway/dist/command-line.js", import.meta.url).href;
/** Character that no command prints. */
const END = "\0";

enableCompileCache();
const { runCommandLine } = await import(COMMAND_LINE);
// A signal that comes when its command has ended must not end this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
process.on("message", (command) => {
  void run(command).then(
    (exitCode) => process.send({ exitCode }),
    (error) => process.send({ failure: String(error?.stack ?? error) }),
  );
});
process.send("ready");
await once(process, "disconnect");
// A timer or server that a plugin left would keep the process running.
process.exit();

/** Runs a command in its folder, with its environment. */
async function run({ args, folder, environment }) {
  const known = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  try {
    return await runCommandLine(args, process.env);
  } finally {
    await Promise.all([process.stdout, process.stderr].map(mark));
    // The folder may be removed before the next command.
    process.chdir(import.meta.dirname);
    for (const name of process.eventNames()) {
      for (const listener of process.listeners(name)) {
        if (!known.get(name)?.includes(listener)) process.off(name, listener);
      }
    }
  }
}

function mark(stream) {
  return new Promise((resolve) => stream.write(END, resolve));
}
