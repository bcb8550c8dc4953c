import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { expect, it } from "vitest";
import { HistoryFold } from "../../src/conversation/history-fold.js";

const said = (text: string): AgentMessage => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp: 1,
});
const stored = (text: string) => Object.freeze(said(text));

/** A fold that lists the words of messages, and the words that it was given to add. */
function listing() {
  const added: string[] = [];
  const fold = new HistoryFold<string[]>({
    start: () => [],
    add(list, { content: [part] }) {
      const text = part?.type === "text" ? part.text : "";
      added.push(text);
      list.push(text);
      return list;
    },
    copy: (list) => [...list],
  });
  return { fold, added };
}

it("adds only the messages that a stored history has gained", () => {
  const { fold, added } = listing();
  const history = [stored("a"), stored("b")];
  expect(fold.of([...history, said("c")])).toEqual(["a", "b", "c"]);
  const grown = [...history, stored("c"), stored("d")];
  expect(fold.of([...grown, said("e")])).toEqual(["a", "b", "c", "d", "e"]);
  expect(added).toEqual(["a", "b", "c", "c", "d", "e"]);
  expect(fold.of(grown)).toEqual(["a", "b", "c", "d"]);
  expect(added).toHaveLength(6);
});

it("starts again for another history with the same first message, and for another key", () => {
  const { fold } = listing();
  const [a, b] = [stored("a"), stored("b")];
  fold.of([a, b]);
  expect(fold.of([a, stored("x"), b])).toEqual(["a", "x", "b"]);
  expect(fold.of([a])).toEqual(["a"]);
  expect(fold.of([a, b], "key", () => ["key"])).toEqual(["key", "a", "b"]);
  expect(fold.of([])).toEqual([]);
});

it("sees changes of messages that are not stored yet, and of values that it returned", () => {
  const { fold } = listing();
  const draft = said("draft");
  const history = [stored("a"), draft];
  fold.of(history).push("changed");
  draft.content = [{ type: "text", text: "final" }];
  expect(fold.of(history)).toEqual(["a", "final"]);
});
