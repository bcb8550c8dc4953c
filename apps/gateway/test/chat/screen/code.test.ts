import { expect, it } from "vitest";
import { createTerminalView } from "../../../src/chat/screen/terminal-view.js";
import { VirtualTerminal } from "../../support/virtual-terminal.js";

it("[GW-687] shows fenced code in a reply as it was written, also with colours and in a list", async () => {
  const terminal = new VirtualTerminal({ columns: 60, rows: 30 });
  const view = createTerminalView({ terminal, editText: async (text) => text });
  const handlers = { submit() {}, interrupt() {}, otherKey() {}, suggest: async () => [] };
  const attached = () => ({ images: undefined, warnings: [] });
  view.start({ ...handlers, inputs: () => [], paste: (text) => text, attached });
  const code = "```js\nif (a) {\n  b();\n}\n```\n\n```\nplain\n\ttab\n```\n\nend";
  view.reply().startText(code);
  await terminal.shows("end");
  for (const line of ["if (a) {", "  b();", "}", "plain"]) {
    expect(terminal.screen).toContain(line);
  }
  view.stop("bye");
});
