/**
 * Draws the pictures of the README: terminal sessions of the real program, as SVG.
 *
 *     node scripts/pictures.mjs
 *
 * Each session runs in a pseudo-terminal (`script` of util-linux) with an empty home folder. A terminal emulator reads
 * its output, so the picture shows what a person sees. Build first.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { drawTerminal } from "./pictures/terminal-svg.mjs";

const COLUMNS = 104;
const ROWS = 200;
const LONGEST_MS = 60_000;
const PROGRAM = resolve("apps/gateway/bin/openclaw.cjs");

const TRUST = { after: "[y]es or [n]o: ", type: "y\r" };
/** The status line of a chat in which no turn runs. */
const READY = "ready · ";

/**
 * Each `type` is entered once `after` has appeared below what was entered before; without it, the picture shows that
 * moment.
 */
const SESSIONS = [
  {
    file: "docs/pictures/first-chat.svg",
    title: "openclaw: start, run a command, approve a write",
    shown: "openclaw",
    args: [],
    steps: [
      TRUST,
      { after: READY, type: "run `date`\r" },
      { after: READY, type: "write hello.txt: Hello\r" },
      { after: "[y]es", type: "a" },
      { after: "in this session" },
    ],
  },
  {
    file: "docs/pictures/plugin.svg",
    title: "openclaw: a plugin blocks one command and reports another",
    shown: "openclaw chat --plugin examples/tool-guard --approve-tool exec",
    args: ["chat", "--plugin", "examples/tool-guard", "--approve-tool", "exec"],
    steps: [
      TRUST,
      { after: READY, type: "run `rm -rf build`\r" },
      { after: READY, type: "run `ls examples`\r" },
      { after: READY, type: "/quit\r" },
    ],
  },
];

for (const session of SESSIONS) {
  const home = mkdtempSync(join(tmpdir(), "openclaw-picture-"));
  try {
    const output = await record(session, home);
    const text = `\u001b[2m$\u001b[22m ${session.shown}\r\n\r\n${output}`;
    mkdirSync("docs/pictures", { recursive: true });
    writeFileSync(
      session.file,
      await drawTerminal(text, { ...session, columns: COLUMNS, rows: ROWS }),
    );
    console.log(`${session.file} written`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs the program in a pseudo-terminal and returns its output, with the temporary folder written as a home folder. */
function record({ args, steps }, home) {
  const workspace = join(home, "project");
  cpSync("docs/examples", join(workspace, "examples"), { recursive: true });
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn(
    "script",
    ["-qfec", `stty cols ${COLUMNS} rows ${ROWS}; exec ${command}`, "/dev/null"],
    {
      cwd: workspace,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        OPENCLAW_STATE_DIR: join(home, ".openclaw"),
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
      },
    },
  );
  const left = [...steps];
  let output = "";
  let read = 0;
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      child.kill();
      failed(new Error(`the session did not end within ${LONGEST_MS} ms; it printed:\n${output}`));
    }, LONGEST_MS);
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
      const next = left[0];
      if (next === undefined || !stripVTControlCharacters(output.slice(read)).includes(next.after))
        return;
      left.shift();
      read = output.length;
      if (next.type !== undefined) return void child.stdin.write(next.type);
      const shown = output;
      child.once("close", () => done(shown.replaceAll(home, "/home/you")));
      child.kill();
    });
    child.once("error", failed);
    child.once("close", () => {
      clearTimeout(timer);
      const [missed] = left;
      if (missed === undefined) done(output.replaceAll(home, "/home/you"));
      else
        failed(new Error(`the session ended before ${JSON.stringify(missed.after)}:\n${output}`));
    });
  });
}
