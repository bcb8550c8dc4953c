import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.js";

const samples = [
  new errors.MessageRefusedError("empty", "the message has no text"),
  new errors.SessionBusyError("agent:main:main", "run"),
  new errors.SessionNotFoundError("agent:main:mian", "agent:main:main"),
  new errors.SessionKeyRefusedError("cron:daily", ["main", "work"]),
  new errors.SessionExistsError("agent:main:main"),
  new errors.SessionExtensionNotFoundError("notes", "moood", "mood"),
  new errors.ImageNotFoundError("agent:main:main", 3, 2),
  new errors.SessionValueTooLargeError("mood", 20_000),
  new errors.SessionValueChangedError("mood", 1, 2),
  new errors.InboxFullError(10_000, 1000),
  new errors.PairingCodeError("telegram", 9),
  new errors.PairingLockedError("telegram", 1000),
  new errors.PairedSenderNotFoundError("telegram", "4711"),
  new errors.ChannelNotFoundError("telegarm", "telegram"),
  new errors.MessageTargetNotFoundError("telegram"),
  new errors.ChannelActionError("telegram", "cannot edit messages"),
  new errors.CredentialRequestRefusedError("API_KEY", "another one was requested"),
  new errors.RunNotForkableError("run", "it has not ended"),
  new errors.TurnTakenOverError("agent:main:main", "another node has ended it"),
  new errors.LostMessageNotFoundError("5f2a"),
  new errors.LostMessageIncompleteError("5f2a", "its text"),
];

describe("errors of messaging", () => {
  it("are all covered here, and only their own class recognises them", () => {
    const classes = samples.map((sample) => sample.constructor as typeof OpenClawError);
    expect(new Set<unknown>(classes)).toEqual(new Set(Object.values(errors)));
    for (const sample of samples) {
      expect(OpenClawError.isInstance(sample)).toBe(true);
      expect(classes.filter((each) => each.isInstance(sample))).toEqual([sample.constructor]);
    }
  });

  it("have a code and a kind", () => {
    expect(samples.map(({ code, kind }) => [code, kind])).toEqual([
      ["MESSAGE_REFUSED", "invalid"],
      ["SESSION_BUSY", "busy"],
      ["SESSION_NOT_FOUND", "not-found"],
      ["SESSION_KEY_REFUSED", "invalid"],
      ["SESSION_EXISTS", "conflict"],
      ["SESSION_EXTENSION_NOT_FOUND", "not-found"],
      ["IMAGE_NOT_FOUND", "not-found"],
      ["SESSION_VALUE_TOO_LARGE", "too-large"],
      ["SESSION_VALUE_CHANGED", "conflict"],
      ["INBOX_FULL", "rate-limited"],
      ["PAIRING_CODE_UNKNOWN", "not-found"],
      ["PAIRING_LOCKED", "rate-limited"],
      ["PAIRED_SENDER_NOT_FOUND", "not-found"],
      ["CHANNEL_NOT_FOUND", "not-found"],
      ["MESSAGE_TARGET_NOT_FOUND", "not-found"],
      ["CHANNEL_ACTION_FAILED", "unavailable"],
      ["CREDENTIAL_REQUEST_REFUSED", "conflict"],
      ["RUN_NOT_FORKABLE", "conflict"],
      ["TURN_TAKEN_OVER", "conflict"],
      ["LOST_MESSAGE_NOT_FOUND", "not-found"],
      ["LOST_MESSAGE_INCOMPLETE", "conflict"],
    ]);
    const stopping = new errors.MessageRefusedError("stopping", "the host is stopping");
    expect(stopping).toMatchObject({ kind: "unavailable", reason: "stopping" });
  });

  it("name the next step and the session", () => {
    const [, busy, unknown, refused] = samples;
    expect(busy).toMatchObject({ sessionKey: "agent:main:main", runId: "run" });
    expect(busy?.message).toContain("end it with /stop");
    expect(unknown).toMatchObject({ sessionKey: "agent:main:mian" });
    expect(unknown?.message).toContain('did you mean "agent:main:main"?');
    expect(refused).toMatchObject({ sessionKey: "cron:daily" });
    expect(refused?.message).toContain("use main, or agent:main:…, agent:work:…");
    expect(new errors.SessionNotFoundError("x", undefined).message).toContain("agent:main:main");
  });
});
