// Says at the terminal that dependencies are being installed. pnpm runs it before an install, whose own output is
// limited to errors (pnpm-workspace.yaml); it hides the output of this script too, so the line goes to the terminal.
// usage: node scripts/installing.mjs
import { closeSync, openSync, writeSync } from "node:fs";

try {
  const terminal = openSync(process.platform === "win32" ? "\\\\.\\CONOUT$" : "/dev/tty", "w");
  writeSync(terminal, "\r\u001b[KInstalling dependencies …\r\n");
  closeSync(terminal);
} catch {
  // Without a terminal nobody waits for the line.
}
