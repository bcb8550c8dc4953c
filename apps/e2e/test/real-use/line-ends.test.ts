import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestHost, type ModelScript } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";

/** Runs a turn whose model makes these calls, each approved; returns the file afterwards. */
async function fileAfter(
  content: string,
  calls: readonly (readonly [toolName: string, params: Record<string, string | boolean>])[],
): Promise<{ readonly text: string; readonly approvals: readonly string[] }> {
  const model: ModelScript = [
    ...calls.map(([toolName, params]) => ({ toolCalls: [{ toolName, params }] })),
    { text: "Done." },
  ];
  const host = await createTestHost({
    plugin: { id: "idle", register() {} },
    files: { "a.txt": content },
    model,
    answer: () => "allow-once",
  });
  onTestFinished(() => host.dispose());
  const reply = await host.turn("Change the file.");
  expect(reply.status).toBe("replied");
  const text = await readFile(join(host.workspaceDir, "a.txt"), "utf8");
  return { text, approvals: host.questions.map((question) => JSON.stringify(question)) };
}

const edit = (old_string: string, new_string: string) =>
  ["edit", { path: "a.txt", old_string, new_string }] as const;

const all = (old_string: string, new_string: string) =>
  ["edit", { path: "a.txt", old_string, new_string, replace_all: true }] as const;

const patch = (...lines: string[]) =>
  [
    "apply_patch",
    {
      input: ["*** Begin Patch", "*** Update File: a.txt", ...lines, "*** End Patch"].join("\n"),
    },
  ] as const;

it("[TURN-220] one line of a CRLF file becomes two, and the next edit over several lines still matches", async () => {
  const { text } = await fileAfter("one\r\ntwo\r\nthree\r\n", [
    edit("two", "two\ntwo and a half"),
    edit("one\ntwo\ntwo and a half\nthree\n", "1\n2\n2.5\n3\n"),
    patch(" 2", "-2.5", "+2.25", "+2.75"),
  ]);
  expect(text).toBe("1\r\n2\r\n2.25\r\n2.75\r\n3\r\n");
});

it("[TURN-220] a file with mixed line ends and a byte order mark is edited and patched", async () => {
  const { text } = await fileAfter("\uFEFFone\r\ntwo\nthree\r\nfour\n", [
    edit("two\nthree", "2\n3"),
    patch("-one", "+1", "+1.5", " 2"),
  ]);
  expect(text).toBe("\uFEFF1\r\n1.5\r\n2\n3\r\nfour\n");
});

it.each([
  ["no line end at the end", "one\r\ntwo", [patch(" two", "+three")], "one\r\ntwo\r\nthree\r\n"],
  ["CR only", "one\rtwo\rthree\r", [edit("one\ntwo", "1\n1.5\n2")], "1\r1.5\r2\rthree\r"],
  ["CR only, patched", "one\rtwo\r", [patch("-two", "+2", "+2.5")], "one\r2\r2.5\r"],
  ["line ends of the model", "one\ntwo\n", [edit("one\r\ntwo", "1\r\n2\r\n3")], "1\n2\n3\n"],
  ["a patch in CRLF", "one\ntwo\n", [patch("-two\r", "+2\r", "+3\r")], "one\n2\n3\n"],
  ["a repeated mark", "\uFEFFone\r\ntwo\r\n", [edit("\uFEFFone\ntwo", "1\n2")], "\uFEFF1\r\n2\r\n"],
  ["a deleted line", "one\r\ntwo\r\nthree\r\n", [edit("two\n", "")], "one\r\nthree\r\n"],
  ["joined lines", "one\r\ntwo\nthree", [edit("two\nthree", "2 3")], "one\r\n2 3"],
  [
    "a separator that does not end a line",
    "a\u2028b\r\nc\r\n",
    [edit("b", "b\nx")],
    "a\u2028b\r\nx\r\nc\r\n",
  ],
  ["every place", "x\r\ny\nx\r\ny\n", [all("x\ny", "1\n2\n3")], "1\r\n2\r\n3\n1\r\n2\r\n3\n"],
])("[TURN-220] a file is changed: %s", async (_what, content, calls, expected) => {
  expect((await fileAfter(content, calls)).text).toBe(expected);
});

it("[TURN-220] a CRLF file that is replaced keeps its line ends, and the approver sees them kept", async () => {
  const { text, approvals } = await fileAfter("one\r\ntwo\r\n", [
    ["write", { path: "a.txt", content: "one\n2\n" }],
  ]);
  expect(text).toBe("one\r\n2\r\n");
  expect(approvals.join()).toContain("-two");
  expect(approvals.join()).not.toContain("-one");
});
