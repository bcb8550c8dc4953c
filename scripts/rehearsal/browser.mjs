// Runs a command that prints the URL of a login and waits, and opens that URL as the browser of a person who allows it.
// usage: node browser.mjs <program> [argument ...]
import { spawn } from "node:child_process";
import { argv, exit, stdout } from "node:process";

const [program = "", ...args] = argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
let output = "";
let isOpened = false;
child.stdout.setEncoding("utf8").on("data", (text) => {
  stdout.write(text);
  output += text;
  const [, url] = /^ *(https?:\/\/\S+)$/m.exec(output) ?? [];
  if (url === undefined || isOpened) return;
  isOpened = true;
  // The login page of the fake asks for the choice of the person, and sends the browser back.
  fetch(url, { headers: { "x-choice-of-the-person": "allow" } }).catch((error) => {
    stdout.write(`the browser could not open ${url}: ${error.message}\n`);
    child.kill();
  });
});
child.once("exit", (code) => exit(code ?? 1));
